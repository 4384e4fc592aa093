// Lets programs of this checkout import the package by its name: each module that package.json exports is found in its
// source. For `node --import`, behind tsx.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';

const root = new URL('../../', import.meta.url);
const { name, exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const sources = Object.fromEntries(
  Object.entries(exports).flatMap(([path, target]) =>
    target.default
      ? [[name + path.slice(1), new URL(target.default.replace(/^\.\/lib\/(.*)\.js$/, '$1.ts'), root).href]]
      : [],
  ),
);
const hooks = `const sources = ${JSON.stringify(sources)};
export const resolve = (specifier, context, next) => next(sources[specifier] ?? specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
