/*
 * What a reference to an image says of its version: `registry.example:5000/path/name:tag@algorithm:digest`, all but
 * the path optional.
 */

const HOST_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const HOST = `${HOST_PART}(?:\\.${HOST_PART})*(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const TAG = '\\w[\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const IMAGE = new RegExp(`^(?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*(?::(${TAG}))?(?:@(${DIGEST}))?$`);

/** No reference with a tag and a digest is longer than this, so that no text keeps the expression busy. */
const LONGEST = 600;
const BARE_DIGEST = /^[0-9a-f]{64}$/;

/** The tag of an image: `latest` where neither a tag nor a digest is given, empty where the text is no reference. */
export function imageTag(image: string): string {
  if (image.length > LONGEST || BARE_DIGEST.test(image)) return '';
  const parts = IMAGE.exec(image);
  if (!parts) return '';
  const [, tag, digest] = parts;
  return tag ?? (digest === undefined ? 'latest' : '');
}
