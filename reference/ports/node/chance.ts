export { randomBytes } from 'node:crypto';
