import type { FieldPath } from '../../../api/fieldPath.ts';
import type { JsonObject } from '../../../api/json.ts';
import { numberOf, objectsOf, textOf } from '../../../api/parts.ts';
import { eachContainer } from '../../../objects/podContainers.ts';

interface Taken {
  readonly at: FieldPath;
  readonly hostPort: number;
  readonly hostIp: string;
}

/** Warnings about ports that containers of a pod have twice. */
export function portWarnings(spec: JsonObject, path: FieldPath): string[] {
  const warnings: string[] = [];
  const taken = new Map<string, Taken[]>();
  eachContainer(spec, path, (container, place) => {
    objectsOf(container.ports).forEach((port, index) => {
      const next = {
        at: place.child('ports').index(index),
        hostPort: numberOf(port.hostPort) ?? 0,
        hostIp: textOf(port.hostIP),
      };
      if (next.hostIp !== '' && next.hostPort === 0) {
        const shown = `{Name:${textOf(port.name)} HostPort:0 ContainerPort:${port.containerPort} Protocol:${port.protocol} HostIP:${next.hostIp}}`;
        warnings.push(`${next.at}: hostIP set without hostPort: ${shown}`);
      }
      const key = `${port.containerPort}/${textOf(port.protocol)}`;
      const others = taken.get(key) ?? [];
      for (const other of others) {
        const clash = clashOf(next, other);
        if (clash !== undefined) warnings.push(`${next.at}: ${clash} port definition with ${other.at}`);
      }
      taken.set(key, [...others, next]);
    });
  });
  return warnings;
}

function clashOf(next: Taken, other: Taken): string | undefined {
  if (next.hostIp === other.hostIp && next.hostPort === other.hostPort) return 'duplicate';
  if (next.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  const oneOpen = (next.hostIp === '') !== (other.hostIp === '');
  return next.hostPort === other.hostPort && oneOpen ? 'dangerously ambiguous' : undefined;
}
