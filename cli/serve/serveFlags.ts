import { SCRATCH_STORES, type ScratchStore } from './scratchStore.ts';

/** The flags of `touchstone serve` that are not the server's. */
export interface ServeFlags {
  /** For a harness: a free port, tokens for its actors, one JSON line when ready; ends with its standard input. */
  embedded: boolean;
  /** Serve nothing by itself; start what lines of standard input ask for. See hosting.ts. */
  hosting: boolean;
  mutant: string | undefined;
  /** A file of violations, which --mutant can name as well. */
  violations: string | undefined;
  listMutants: boolean;
  help: boolean;
  /** Stand in for the kube-apiserver that envtest starts; see envtest.ts. */
  envtest: boolean;
  /** Opens the control port. */
  control: boolean;
  /** Where the control port is; a free one unless told. */
  controlPort: number;
  /** The file of its token; drawn unless told. */
  controlTokenFile: string | undefined;
  out: string | undefined;
  /** What the objects are in while it runs; for a harness. */
  storage: ScratchStore;
  /** A snapshot to begin with. */
  restore: string | undefined;
}

/**
 * Takes the flags of the command out of all that were given.
 * @returns `rest` is for the server; `errors` has a sentence for each flag that is not as it should be.
 */
export function readServeFlags(argv: readonly string[]): { own: ServeFlags; rest: string[]; errors: string[] } {
  const own: ServeFlags = {
    embedded: false,
    hosting: false,
    mutant: undefined,
    violations: undefined,
    listMutants: false,
    help: false,
    envtest: false,
    control: false,
    controlPort: 0,
    controlTokenFile: undefined,
    out: undefined,
    restore: undefined,
    storage: 'memory',
  };
  const rest: string[] = [];
  const errors: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const [name, inline] = (argv[i] as string).split(/=(.*)/s) as [string, string | undefined];
    const value = () => {
      const given = inline ?? argv[++i];
      if (given === undefined) errors.push(`${name} needs a value`);
      return given;
    };
    if (name === '--embedded') own.embedded = true;
    else if (name === '--hosting') own.hosting = true;
    else if (name === '--envtest') own.envtest = true;
    else if (name === '--control') own.control = true;
    else if (name === '--control-port') {
      own.control = true;
      own.controlPort = portNamed(value(), errors);
    } else if (name === '--control-token-file') {
      own.control = true;
      own.controlTokenFile = value();
    } else if (name === '--list-mutants') own.listMutants = true;
    else if (name === '--help' || name === '-h') own.help = true;
    else if (name === '--mutant') own.mutant = value();
    else if (name === '--violation') own.mutant = [own.mutant, value()].filter((each) => each !== undefined).join(',');
    else if (name === '--violations') own.violations = value();
    else if (name === '--out') own.out = value();
    else if (name === '--restore') own.restore = value();
    else if (name === '--storage') own.storage = storageNamed(value(), errors);
    else rest.push(argv[i] as string);
  }
  return { own, rest, errors };
}

function portNamed(text: string | undefined, errors: string[]): number {
  const port = Number(text);
  if (text !== undefined && /^\d+$/.test(text) && port < 65_536) return port;
  errors.push(`--control-port is a port from 0 to 65535, not ${text}`);
  return 0;
}
function storageNamed(name: string | undefined, errors: string[]): ScratchStore {
  const found = SCRATCH_STORES.find((one) => one === name);
  if (!found) errors.push(`--storage is one of ${SCRATCH_STORES.join(', ')}, not ${name}`);
  return found ?? 'memory';
}
