/**
 * Ends this process together with its parent: the standard input is a pipe to which nothing is written, and which closes when the parent ends for any reason.
 * Imported by every program of this folder.
 */
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
