/** Something wrong with a history file. */
export interface Fault {
  readonly line: number;
  /** `groups[0].timeline["1.3"]`; empty for the file as a whole. */
  readonly path: string;
  /** A clause: `there is no release 1.9`. */
  readonly reason: string;
}

/** A file that holds no release history. */
export class HistoryFault extends Error {
  override readonly name = 'HistoryFault';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const inOrder = [...faults].sort((one, other) => one.line - other.line);
    super(inOrder.map(faultText).join('\n'));
    this.faults = inOrder;
  }
}

function faultText({ line, path, reason }: Fault): string {
  return `line ${line}: ${path === '' ? '' : `${path}: `}${reason}`;
}

/** A JSON pointer as people write paths: `groups[0].timeline["1.3"].versions`. */
export function pathText(pointer: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.reduce((path, part) => {
    if (/^\d+$/.test(part)) return `${path}[${part}]`;
    if (/^[A-Za-z_]\w*$/.test(part)) return path === '' ? part : `${path}.${part}`;
    return `${path}[${JSON.stringify(part)}]`;
  }, '');
}
