/**
 * Ends this process together with its parent: its standard input is a pipe that is never written to, and that closes when the parent ends, for any reason.
 * Imported by every program of this folder.
 */
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
