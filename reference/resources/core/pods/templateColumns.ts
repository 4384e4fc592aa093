import type { Json } from '../../../api/json.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import type { Column } from '../../../contracts/resourceType.ts';
import type { ApiObject } from '../../columns/column.ts';
import { column, wide } from '../../columns/column.ts';

type Template = (object: ApiObject) => Json | undefined;

const containersOf = (template: Json | undefined) => objectsOf(objectOf(objectOf(template).spec).containers);

/** Names and images of the containers of a template of pods, shown wide unless `priority` says otherwise. */
export function containerColumns(template: Template, priority = 1): Column[] {
  const make = priority === 0 ? column : wide;
  const list = (field: string) => (object: ApiObject) =>
    containersOf(template(object))
      .map((container) => textOf(container[field]))
      .join(',');
  return [
    make('Containers', 'Names of each container in the template.', list('name')),
    make('Images', 'Images referenced by each container in the template.', list('image')),
  ];
}

/** Where workloads keep their template. */
export const specTemplate: Template = (object) => objectOf(object.spec).template;
