import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onePerLane } from '../running/lane.ts';
import { TARGET_FILE } from '../target/target.ts';

export interface RsaPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** How many of each length a lane has asked for. */
const askedFor = onePerLane(() => new Map<number, number>());

/**
 * An RSA key that no other in this lane is like. The first that a lane asks for is the first of every lane of the run, and
 * so on: to make one takes as long as some hundred requests, and the servers that trust it are those of one lane.
 */
export function rsaPair(bits = 2048): RsaPair {
  const asked = askedFor();
  const number = (asked.get(bits) ?? 0) + 1;
  asked.set(bits, number);
  const run = process.env[TARGET_FILE];
  return run === undefined ? made(bits) : kept(join(dirname(run), `rsa-${bits}-${number}`), bits);
}

function made(bits: number): RsaPair {
  return generateKeyPairSync('rsa', { modulusLength: bits });
}

/** The key of a file, which is made if it is not there. Two that make it at once have one each, which is as good. */
function kept(file: string, bits: number): RsaPair {
  if (existsSync(file)) {
    const privateKey = createPrivateKey(readFileSync(file));
    return { privateKey, publicKey: createPublicKey(privateKey) };
  }
  const pair = made(bits);
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  renameSync(unfinished, file);
  return pair;
}
