/**
 * Ends this process with the one that started it: its standard input is a pipe that nothing is written to, and that closes when the
 * starter is gone, however that ended. Imported by every program of this folder.
 */
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
