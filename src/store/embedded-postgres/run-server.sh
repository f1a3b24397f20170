# Takes the lock of the running server and then becomes the server. All processes of the server hold
# the lock until they end. Therefore no second server starts while one of them runs.
#
# $1: the folder's postmaster.pid. $2...: the server's command line. fd 3: the lock.
lock -xn 3 || exit 75
echo locked

# The starting process prepares the cluster under this lock and then sends the folder of the socket.
# If its pipe closes instead, that process has ended.
read -r socket_folder || exit 0

# The lock is held, so an existing postmaster.pid belongs to a killed server. Its process id can now
# belong to another program, and often does in a restarted container. PostgreSQL would refuse to
# start; it ignores the process id in this variable. Its check of shared memory still runs.
if [ -e "$1" ]; then
  read -r PG_GRANDPARENT_PID <"$1"
  export PG_GRANDPARENT_PID
fi
shift
exec "$@" -c "unix_socket_directories=\"$socket_folder\"" >&2 </dev/null
