/** @throws if the archive of `name@version` does not have the hash that is pinned for it */
export declare function verify(name: string, bytes: Uint8Array): void;
