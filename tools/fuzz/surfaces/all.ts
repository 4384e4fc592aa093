import { bodies } from './bodies.ts';
import { credentials } from './credentials.ts';
import { expressions } from './expressions.ts';
import { files } from './files.ts';
import { requests } from './requests.ts';
import { selectors } from './selectors.ts';
import type { Surface } from './surface.ts';
import { writes } from './writes.ts';

export const SURFACES: readonly Surface[] = [writes, bodies, requests, selectors, expressions, credentials, files];
