// The engine of the page: a worker, made of the text of a script so that a page on a disk may have one.
const scripts = () => globalThis.touchstoneScripts ?? {};

/** The text of a script that the page has loaded. */
const textOf = (name) => `(${scripts()[name]})()`;

/** Loads a script beside the page. Rejects with a sentence when it is not there. */
export function loadScript(name) {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: `${name}.js` });
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${name}.js is missing beside the page.`)));
    document.head.append(script);
  });
}

/** Starts the engine. Throws Error with a sentence where it cannot be. */
export function startEngine() {
  if (!scripts().engine) throw new Error('engine.js is missing beside the page.');
  if (typeof Worker !== 'function') throw new Error('This browser has no workers, in which the server would run.');
  const worker = new Worker(URL.createObjectURL(new Blob([textOf('engine')], { type: 'text/javascript' })));
  const waiting = new Map();
  const streams = new Map();
  let count = 0;
  let broken;

  worker.addEventListener('error', (event) => {
    event.preventDefault();
    broken = new Error(`The server of this tab has stopped: ${event.message || 'the browser is too old for it'}.`);
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  });
  worker.addEventListener('message', ({ data }) => {
    if (data.kind === 'needs') {
      loadScript(data.part).then(
        () => worker.postMessage({ kind: 'part', part: data.part, text: textOf(data.part) }),
        (error) => {
          for (const { reject } of waiting.values()) reject(error);
          waiting.clear();
        },
      );
    } else if (data.kind === 'frame') streams.get(data.id)?.enqueue(data.bytes);
    else if (data.kind === 'end') {
      streams.get(data.id)?.close();
      streams.delete(data.id);
    } else {
      waiting
        .get(data.id)
        ?.[data.kind === 'fault' ? 'reject' : 'resolve'](data.kind === 'fault' ? new Error(data.sentence) : data);
      waiting.delete(data.id);
    }
  });

  function ask(question) {
    if (broken) return Promise.reject(broken);
    const id = ++count;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ ...question, id });
    });
  }

  /** The body of an answer; that of a watch streams until it is cancelled. */
  function bodyOf({ id, body, code }) {
    if (body) return [204, 304].includes(code) ? null : body;
    return new ReadableStream({
      start: (controller) => streams.set(id, controller),
      cancel() {
        streams.delete(id);
        worker.postMessage({ kind: 'cancel', id });
      },
    });
  }

  return {
    /** @param mutant id of the mutant to play it on, in place of a sound server */
    play: async (scenario, dialect, mutant) => (await ask({ kind: 'play', scenario, dialect, mutant })).played,
    read: async (name, text) => (await ask({ kind: 'read', name, text })).scenario,
    /** Begins a server for {@link handle}. @param tokens lines of `token,user,uid,"group,…"` */
    open: (flags, tokens = '') => ask({ kind: 'open', flags, tokens }),
    advance: (milliseconds) => ask({ kind: 'advance', milliseconds }),
    /** Answers a request of the Fetch API. */
    async handle(request) {
      const { pathname, search } = new URL(request.url);
      const headers = Object.fromEntries(request.headers);
      const body = new Uint8Array(await request.arrayBuffer());
      const asked = { method: request.method, target: pathname + search, headers, body };
      const answer = await ask({ kind: 'handle', request: asked });
      const made = new Headers();
      for (const [name, value] of Object.entries(answer.headers)) {
        for (const one of [value].flat()) made.append(name, one);
      }
      return new Response(bodyOf(answer), { status: answer.code, headers: made });
    },
  };
}
