import { CborSyntaxError, readCbor } from '../codecs/cborRead.ts';
import { JsonSyntaxError, readJson } from '../codecs/json.ts';
import { stringify } from '../codecs/jsonText.ts';
import { readYaml, YamlSyntaxError } from '../codecs/yaml.ts';
import { APPLY_CBOR } from './applyBody.ts';
import type { PatchKind } from './patchKinds.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** A patch or a configuration as JSON text on one line, for the audit log; undefined for bytes that are none. */
export function sentPatch(kind: PatchKind, mediaType: string, bytes: Uint8Array): string | undefined {
  try {
    if (kind !== 'apply') return stringify(readJson(utf8.decode(bytes)).value);
    if (mediaType === APPLY_CBOR) return stringify(readCbor(bytes, undefined).value);
    return stringify(readYaml(utf8.decode(bytes)).value);
  } catch (error) {
    const broken =
      error instanceof JsonSyntaxError || error instanceof YamlSyntaxError || error instanceof CborSyntaxError;
    if (broken) return undefined;
    throw error;
  }
}
