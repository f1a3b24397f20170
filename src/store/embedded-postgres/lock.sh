# lock <-s|-x|-xn> <fd>: a kernel lock on an open file: shared, exclusive, or exclusive without
# waiting. It belongs to the open file and so ends with the last process that holds it, however
# that process ends. Where flock(1) is missing (macOS), perl makes the same system call.
lock() {
  if command -v flock >/dev/null 2>&1; then
    flock "$1" "$2"
  else
    case $1 in -s) set -- 1 "$2" ;; -x) set -- 2 "$2" ;; -xn) set -- 6 "$2" ;; esac
    perl -e 'open(my $file, ">&=", $ARGV[1]) or exit 2; exit(flock($file, $ARGV[0]) ? 0 : 1)' "$@"
  fi
}
