// A request in the forms in which people know it.
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const heredoc = (body) => (body === '' ? '' : ` <<'EOF'\n${body.trimEnd()}\nEOF`);

function headersOf({ who, type, headers }) {
  return {
    ...(who === 'nobody' ? {} : { authorization: `Bearer ${who}-token` }),
    ...(type === '' ? {} : { 'content-type': type }),
    ...headers,
  };
}

/** One that is sent several times has a line for each time. */
const headerLines = (headers) =>
  Object.entries(headers).flatMap(([name, value]) => value.split('\n').map((one) => `${name}: ${one}`));

export function asHttp(request) {
  const lines = headerLines({ host: 'server', ...headersOf(request) });
  return [`${request.method} ${request.path} HTTP/1.1`, ...lines, '', request.body].join('\n').trimEnd();
}

export function asCurl(request) {
  const headers = headerLines(headersOf(request)).map((line) => `  -H ${quoted(line)}`);
  const data = request.body === '' ? [] : ['  --data-binary @-'];
  const method = request.method === 'GET' ? '' : ` -X ${request.method}`;
  return [`curl${method} "$SERVER"${quoted(request.path)}`, ...headers, ...data].join(' \\\n') + heredoc(request.body);
}

const PATCHES = {
  'application/merge-patch+json': 'merge',
  'application/json-patch+json': 'json',
  'application/strategic-merge-patch+json': 'strategic',
};

export function asKubectl(request) {
  const { method, path, body, who } = request;
  const as = ` --user=${who}`;
  const [plain, query = ''] = path.split('?');
  const fields = new URLSearchParams(query);
  if (method === 'GET') return `kubectl get --raw ${quoted(path)}${as}`;
  if (method === 'PATCH') {
    if (request.type.startsWith('application/apply-patch')) {
      const manager = fields.get('fieldManager');
      const flags = [
        ...(manager ? [`--field-manager=${manager}`] : []),
        ...(fields.get('force') === 'true' ? ['--force-conflicts'] : []),
        ...(fields.get('dryRun') ? ['--dry-run=server'] : []),
      ];
      return `kubectl apply --server-side ${[...flags, '-f -'].join(' ')}${as}${heredoc(body)}`;
    }
    const [, namespace, rest = ''] =
      /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/([^/]+)(?=\/.+))?\/(.+)$/.exec(plain) ?? [];
    const [resource, name, subresource] = rest.split('/');
    const flags = [
      ...(namespace ? [`-n ${namespace}`] : []),
      ...(subresource ? [`--subresource=${subresource}`] : []),
      `--type=${PATCHES[request.type] ?? 'merge'}`,
    ];
    return `kubectl patch ${resource} ${name} ${flags.join(' ')}${as} -p ${quoted(body.trim())}`;
  }
  const verb = { POST: 'create', PUT: 'replace', DELETE: 'delete' }[method];
  if (!verb) return `# kubectl sends no ${method}`;
  return `kubectl ${verb} --raw ${quoted(path)}${body === '' ? '' : ' -f -'}${as}${heredoc(body)}`;
}
