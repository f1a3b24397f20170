# Each process of the application starts one guard, which runs longer than the process. Its standard
# input ends with the process, also after kill -9. Then the guard stops the server, unless another
# process uses it.
#
# $1: the server's postmaster.pid. fd 3: the lock that all users of the server share.
# fd 4: the lock that the server's processes hold while they run.
trap '' HUP INT TERM PIPE
exec 2>&1

# Waits while another guard stops the server: that guard holds the lock exclusively.
lock -s 3 || exit 1
echo ready

while read -r _; do :; done

# At most one guard gets the exclusive lock, and none while a process uses the server. A process
# that starts now waits for its shared lock until the server has stopped.
lock -xn 3 || exit 0

# Repeats the signal until the server has ended: a starting server has no postmaster.pid yet. INT is
# a fast shutdown. QUIT after 200 tries (at least four seconds) loses nothing: the write-ahead log
# is replayed.
tries=0
until lock -xn 4; do
  if [ "$tries" -lt 200 ]; then signal=INT; else signal=QUIT; fi
  {
    read -r pid && kill -s "$signal" "$pid"
    read -r _ && read -r _ && read -r _ && read -r socket_folder
  } <"$1" 2>/dev/null
  tries=$((tries + 1))
  sleep 0.02
done
[ -n "$socket_folder" ] && rmdir "$socket_folder" 2>/dev/null
exit 0
