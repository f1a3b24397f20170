# One guard stands beside each of our processes and outlives it, so that no end of it, kill -9
# included, leaves a server behind: when its standard input ends and nobody else uses the server,
# the guard stops it.
#
# $1: the server's postmaster.pid; fd 3: the lock that every user of the server shares;
# fd 4: the lock that the server's processes hold while they run.
trap '' HUP INT TERM PIPE
exec 2>&1

# Waits while another guard, which holds this lock alone, stops the server.
lock -s 3 || exit 1
echo ready

while read -r _; do :; done

# The kernel gives the lock to one of all guards at most, and to none while anybody uses the server.
# A process that comes now waits for its own guard's share until the server is down.
lock -xn 3 || exit 0

# Asked again until it is gone: a server that was just being started has no postmaster.pid yet.
# INT is a fast shutdown; after some five seconds QUIT, which the write-ahead log makes up for.
tries=0
until lock -xn 4; do
  if [ "$tries" -lt 200 ]; then how=INT; else how=QUIT; fi
  {
    read -r pid && kill -s "$how" "$pid"
    read -r _ && read -r _ && read -r _ && read -r socket_folder
  } <"$1" 2>/dev/null
  tries=$((tries + 1))
  sleep 0.02
done
[ -n "$socket_folder" ] && rmdir "$socket_folder" 2>/dev/null
exit 0
