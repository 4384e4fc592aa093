import type { IncomingRequest } from '../reference/api/request.ts';

/** Another request seen in another way: what a subclass does not say is as in the other. */
export class DelegatedRequest implements IncomingRequest {
  protected readonly request: IncomingRequest;

  constructor(request: IncomingRequest) {
    this.request = request;
  }
  get method(): string {
    return this.request.method;
  }
  get path(): string {
    return this.request.path;
  }
  get target(): string {
    return this.request.target;
  }
  get query(): IncomingRequest['query'] {
    return this.request.query;
  }
  get headers(): IncomingRequest['headers'] {
    return this.request.headers;
  }
  get headerLines(): IncomingRequest['headerLines'] {
    return this.request.headerLines && ((name) => this.request.headerLines?.(name) ?? []);
  }
  get remoteAddress(): string {
    return this.request.remoteAddress;
  }
  get secure(): boolean {
    return this.request.secure;
  }
  get peerCertificate(): IncomingRequest['peerCertificate'] {
    return this.request.peerCertificate;
  }
  get signal(): AbortSignal {
    return this.request.signal;
  }
  body(): Promise<Uint8Array> {
    return this.request.body();
  }
}
