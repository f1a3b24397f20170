# Becomes the server, holding the lock that says so from before its first moment to the end of its
# last process. So a second server cannot be started beside it, nor beside what a killed one left.
#
# $1: the folder's postmaster.pid; $2...: the server's command line; fd 3: the lock.
lock -xn 3 || exit 75
echo locked

# Our process makes the cluster ready under this lock, then tells where the socket shall lie.
# An end instead: it has died.
read -r socket_folder || exit 0

# We hold the lock, so a postmaster.pid is a killed server's, and its process id may be another
# program's by now (in a restarted container it mostly is). PostgreSQL would refuse to start; this
# variable names a process id that it does not mind. Its check of shared memory stays.
if [ -e "$1" ]; then
  read -r PG_GRANDPARENT_PID <"$1"
  export PG_GRANDPARENT_PID
fi
shift
exec "$@" -c "unix_socket_directories=\"$socket_folder\"" >&2 </dev/null
