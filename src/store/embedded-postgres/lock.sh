# lock <-s|-x|-xn> <fd>: locks an open file: shared, exclusive, or exclusive without waiting. The
# kernel releases the lock when the last process with the open file ends. Without flock(1), as on
# macOS, perl makes the same system call.
lock() {
  if command -v flock >/dev/null 2>&1; then
    flock "$1" "$2"
  else
    case $1 in -s) set -- 1 "$2" ;; -x) set -- 2 "$2" ;; -xn) set -- 6 "$2" ;; esac
    perl -e 'open(my $file, ">&=", $ARGV[1]) or exit 2; exit(flock($file, $ARGV[0]) ? 0 : 1)' "$@"
  fi
}
