/** A whole platform starts in a hook, on whatever machine this is. The bound only ends what hangs. */
jest.setTimeout(600_000);
