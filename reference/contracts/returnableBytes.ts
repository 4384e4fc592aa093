/** Memory that can be made smaller (ECMAScript 2024). */
type Resizable = ArrayBuffer & { readonly resizable?: boolean; resize?(size: number): void };
const Shrinking = ArrayBuffer as unknown as new (size: number, most: { maxByteLength: number }) => ArrayBuffer;

/**
 * Zeroed bytes that {@link giveBack} gives back to the system; the engine may let others of many megabytes lie about until
 * it looks, long after they were needed.
 */
export function returnableBytes(size: number): Buffer {
  return Buffer.from(new Shrinking(size, { maxByteLength: size }), 0, size);
}

/** Gives bytes back that nobody reads any more; such as were not made for that stay as they are. */
export function giveBack(bytes: Uint8Array): void {
  const memory = bytes.buffer as Resizable;
  if (memory.resizable) memory.resize?.(0);
}
