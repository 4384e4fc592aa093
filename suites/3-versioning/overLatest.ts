import { type ApiObject, type Exchange, valueAt } from '../harness/index.ts';

/** How often an object is written back, where controllers of the target write in between. */
const TRIES = 10;

/**
 * Writes over what is there, and once more where somebody else wrote after it was read: controllers of the target do
 * (1/updating-and-patching/3). Where nobody has, a 409 is for what the write says, and is the answer.
 * @param read reads the object in JSON
 */
export async function overLatest(
  read: () => Promise<Exchange>,
  write: (live: ApiObject) => Promise<Exchange>,
): Promise<Exchange> {
  const versionOf = ({ json }: Exchange) => valueAt(json, ['metadata', 'resourceVersion']);
  for (let tried = 1; ; tried++) {
    const latest = await read();
    const answer = await write(latest.json as ApiObject);
    if (answer.status !== 409 || tried === TRIES) return answer;
    if (versionOf(await read()) === versionOf(latest)) return answer;
  }
}
