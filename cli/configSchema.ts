import type { CommandFlag, FlagTable } from './flags.ts';

const SCALAR = { type: ['string', 'number', 'boolean'] } as const;

/** A JSON Schema of what a configuration file says of one command. */
export function sectionSchema(flags: FlagTable): object {
  const said = Object.entries(flags).map(([name, flag]) => [name, { description: flag.help, ...shapeOf(flag) }]);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(said) };
}

function shapeOf({ value, many, choices }: CommandFlag): object {
  if (value === undefined) return { type: 'boolean' };
  const one = choices === undefined ? SCALAR : { enum: choices };
  return many ? { anyOf: [one, { type: 'array', items: one }] } : one;
}

/** The member of a configuration file that is about the file, as editors write it. */
export const SCHEMA = '$schema';

/** A command, as far as a configuration file can say something of it. */
export interface Section {
  readonly about?: string;
  readonly flags?: FlagTable | undefined;
  readonly parts?: Readonly<Record<string, Section>> | undefined;
}

/** The JSON Schema of a configuration file, as draft 7, which editors read. */
export function configSchema(commands: Readonly<Record<string, Section>>): object {
  const { properties, ...sections } = sectionsOf(commands);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'touchstone.yaml',
    description: 'What the flags of the touchstone command say, unless the command line or the environment does.',
    ...sections,
    properties: {
      [SCHEMA]: { type: 'string', description: 'The schema that editors check this file with.' },
      ...properties,
    },
  };
}

function sectionsOf(commands: Readonly<Record<string, Section>>): {
  type: string;
  additionalProperties: boolean;
  properties: object;
} {
  const sections = Object.entries(commands).flatMap(([name, { about, flags, parts }]) => {
    const said = about === undefined ? {} : { description: about };
    const section: object | undefined = parts ? sectionsOf(parts) : flags && sectionSchema(flags);
    return section ? [[name, { ...said, ...section }]] : [];
  });
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(sections) };
}
