/** A tab reaches no servers for us; what stands at a host of this process is answered before this is asked. */
async function request(url: string): Promise<never> {
  const { host } = new URL(url);
  throw Object.assign(new Error(`a tab of a browser does not ask ${host}`), { code: 'ENOTFOUND', hostname: host });
}

/** Connections that are never opened. */
class Agent {
  compose(): Agent {
    return this;
  }
  async close(): Promise<void> {}
  async destroy(): Promise<void> {}
}

const buildConnector = () => () => undefined;
const interceptors = { redirect: () => () => undefined };

/** Stands for the library that asks over HTTP. */
export const loadHttpClient = async () => ({ Agent, buildConnector, interceptors, request });
