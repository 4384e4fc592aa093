import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { parseQuantity, scaledValue } from '../../../schema/quantity.ts';
import type { RuleContext } from '../../builtinType.ts';

/** Sources that are on their way out, and how the service calls them. */
const OLD_SOURCES: readonly (readonly [string, string, string?])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];
/** First release that has volumes of repositories switched off. */
const NO_REPOSITORIES = 33;

/** Warnings about the volumes of a pod. */
export function volumeWarnings(spec: JsonObject, path: FieldPath, { release }: RuleContext): string[] {
  const volumes = objectsOf(spec.volumes);
  const warnings: string[] = [];
  volumes.forEach((volume, index) => {
    for (const [source, text, shown] of OLD_SOURCES) {
      if (!isObject(volume[source])) continue;
      const said = source === 'gitRepo' && release < NO_REPOSITORIES ? 'deprecated in v1.11' : text;
      warnings.push(`${path.index(index).child(shown ?? source)}: ${said}`);
    }
    const template = objectOf(objectOf(volume.ephemeral).volumeClaimTemplate);
    const at = path.index(index).child('ephemeral', 'volumeClaimTemplate', 'spec');
    warnings.push(...claimWarnings(objectOf(template.spec), at));
  });
  return [...warnings, ...tokenWarnings(volumes, path)];
}

/** Warnings about a claim for a volume: storage comes in whole bytes. */
function claimWarnings(spec: JsonObject, path: FieldPath): string[] {
  const text = textOf(objectOf(objectOf(spec.resources).requests).storage);
  if (text === '' || scaledValue(parseQuantity(text), -3) % 1000n === 0n) return [];
  const at = path.child('resources', 'requests').key('storage');
  return [`${at}: fractional byte value ${JSON.stringify(text)} is invalid, must be an integer`];
}

/** Files that take the place of a token. */
function tokenWarnings(volumes: readonly JsonObject[], path: FieldPath): string[] {
  const sources = (volume: JsonObject) => objectsOf(objectOf(volume.projected).sources);
  const tokens = new Set(
    volumes.flatMap((volume) =>
      sources(volume)
        .filter((source) => isObject(source.serviceAccountToken))
        .map((source) => textOf(objectOf(source.serviceAccountToken).path)),
    ),
  );
  if (tokens.size === 0) return [];
  const lists: readonly (readonly [string, string])[] = [
    ['configMap', 'configMap'],
    ['secret', 'secrets'],
    ['downwardAPI', 'downwardAPI'],
  ];
  return volumes.flatMap((volume, index) =>
    sources(volume).flatMap((source) =>
      lists.flatMap(([name, shown]) =>
        objectsOf(objectOf(source[name]).items).flatMap((item, place) => {
          const file = textOf(item.path);
          if (!tokens.has(file)) return [];
          const at = path.index(index).child('projected', 'sources', shown).index(place);
          return [`${at}: has duplicated path with ServiceAccountToken ${JSON.stringify(file)}`];
        }),
      ),
    ),
  );
}
