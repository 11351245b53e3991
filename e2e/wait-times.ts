/** A complete platform is started in a hook, on any machine. The timeout only ends tests that hang. */
jest.setTimeout(600_000);
