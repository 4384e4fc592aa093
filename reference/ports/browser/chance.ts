export const randomBytes = (size: number): Uint8Array => crypto.getRandomValues(Buffer.alloc(size));
