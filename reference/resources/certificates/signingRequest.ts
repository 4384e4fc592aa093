import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { cloneJson, equalJson, isObject, type JsonObject, repeatedAt, setMember } from '../../api/json.ts';
import { dns1123Subdomain } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, numberOf, objectOf, objectsOf, setDefault, textOf, textsOf } from '../../api/parts.ts';
import type { WriteContext } from '../../contracts/resourceType.ts';
import { createPublicKey } from '../../ports/keys.ts';
import { formatTime } from '../../time.ts';
import type { RuleMaker } from '../builtinType.ts';
import { certificateFault } from './certificateText.ts';

const SPEC = FieldPath.of('spec');
const CONDITIONS = FieldPath.of('status', 'conditions');
const SHORTEST = 600;
const LONGEST_SIGNER = 571;
/** What a key of a client or server is for, where an older request does not say. */
const USUAL_USAGES = ['digital signature', 'key encipherment'];
const VERDICTS = ['Approved', 'Denied', 'Failed'];
const USAGES = [
  ...['any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment'],
  ...['decipher only', 'digital signature', 'email protection', 'encipher only', 'ipsec end system'],
  ...['ipsec tunnel', 'ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc', 'netscape sgc'],
  ...['ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping'],
];

export const certificateSigningRequestRules: RuleMaker = ({ dialect }) => {
  const legacy = `${dialect.labelDomain}/legacy-unknown`;
  return {
    strategy: {
      // A request never changes, so that nobody has to own it.
      unownedFields: [['spec'], ['status']],
      prepareForCreate(request, { user }) {
        const spec = ensureObject(request, 'spec');
        spec.username = user.username;
        spec.uid = user.uid;
        spec.groups = [...user.groups];
        delete spec.extra;
        const extra: JsonObject = {};
        for (const [name, values] of Object.entries(user.extra)) setMember(extra, name, [...values]);
        if (Object.keys(extra).length > 0) spec.extra = extra;
        for (const name of ['username', 'uid', 'groups']) if (listless(spec[name])) delete spec[name];
      },
      prepareForUpdate(request, old) {
        request.spec = cloneJson(objectOf(old.spec));
      },
      validate: (request) => [...validateSpec(objectOf(request.spec), legacy), ...validateConditions(request)],
      validateUpdate: (request) => validateConditions(request),
    },
    strategies: {
      v1beta1: {
        validate: (request) => [...validateSpec(objectOf(request.spec), undefined), ...validateOldConditions(request)],
        validateUpdate: validateOldConditions,
      },
    },
    defaults: {
      v1beta1(request) {
        const spec = ensureObject(request, 'spec');
        setDefault(spec, 'signerName', legacy);
        if (listOf(spec.usages).length === 0) spec.usages = [...USUAL_USAGES];
        for (const condition of listOf(objectOf(request.status).conditions)) {
          if (isObject(condition)) setDefault(condition, 'status', 'True');
        }
      },
    },
    selectableFields: { 'spec.signerName': (request) => textOf(objectOf(request.spec).signerName) },
    subresources: {
      status: {
        prepareForUpdate(request, old, context) {
          const status = ensureObject(request, 'status');
          // Verdicts are for the subresource of their own.
          const own = objectsOf(status.conditions).filter(({ type }) => !isVerdict(type));
          status.conditions = [
            ...objectsOf(objectOf(old.status).conditions).filter(({ type }) => isVerdict(type)),
            ...own,
          ];
          if (listOf(status.conditions).length === 0) delete status.conditions;
          stampConditions(request, old, context);
        },
        validateUpdate: (request, old, { version }) =>
          version === 'v1'
            ? [
                ...validateConditions(request),
                ...validateKeptCertificate(request, old),
                ...validateCertificate(request, old),
              ]
            : [...validateOldConditions(request), ...validateKeptCertificate(request, old)],
      },
      approval: {
        resetFields: [['spec'], ['status', 'certificate']],
        prepareForUpdate: stampConditions,
        validateUpdate: (request, old, { version }) => [
          ...(version === 'v1' ? validateConditions : validateOldConditions)(request),
          ...validateKeptVerdicts(request, old),
        ],
      },
    },
  };
};

function listless(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}
function isVerdict(type: unknown): boolean {
  return type === 'Approved' || type === 'Denied';
}

/** @param legacy the signer of requests that name none; undefined where such requests are still taken */
function validateSpec(spec: JsonObject, legacy: string | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const fault = requestFault(Buffer.from(textOf(spec.request), 'base64').toString());
  if (fault !== undefined) errors.push(invalid(SPEC.child('request'), textOf(spec.request), fault));
  const usages = textsOf(spec.usages);
  if (usages.length === 0) errors.push(required(SPEC.child('usages')));
  const repeated = repeatedAt(usages);
  for (const [index, usage] of usages.entries()) {
    const path = SPEC.child('usages').index(index);
    if (legacy === undefined) continue;
    if (!USAGES.includes(usage)) errors.push(notSupported(path, usage, USAGES));
    if (repeated.has(index)) errors.push(duplicate(path, usage));
  }
  errors.push(...validateSigner(textOf(spec.signerName), SPEC.child('signerName'), legacy));
  const seconds = numberOf(spec.expirationSeconds);
  if (seconds !== undefined && seconds < SHORTEST) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(invalid(SPEC.child('expirationSeconds'), seconds, detail));
  }
  return errors;
}

/** A signer has a name behind a domain: `example.com/name`. */
function validateSigner(name: string, path: FieldPath, legacy: string | undefined): FieldError[] {
  if (name === legacy) return [invalid(path, name, 'the legacy signerName is not allowed via this API version')];
  if (name === '') return [required(path)];
  const [domain = '', own = '', ...more] = name.split('/');
  if (own === '' || more.length > 0) {
    return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const errors: FieldError[] = [];
  for (const part of [domain, own]) {
    for (const fault of dns1123Subdomain(part)) {
      errors.push(invalid(path, part, `validating label ${JSON.stringify(part)}: ${fault}`));
    }
  }
  if (errors.length === 0 && !domain.includes('.')) {
    errors.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
  }
  if (Buffer.byteLength(name) > LONGEST_SIGNER) errors.push(tooLong(path, LONGEST_SIGNER));
  return errors;
}

function conditionsOf({ status }: ApiObject): readonly JsonObject[] {
  return objectsOf(objectOf(status).conditions);
}

function validateConditions(request: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, condition] of conditionsOf(request).entries()) {
    const path = CONDITIONS.index(index);
    const type = textOf(condition.type);
    const status = textOf(condition.status);
    if (type === '') errors.push(required(path.child('type')));
    if (VERDICTS.includes(type)) {
      if (status === '') errors.push(required(path.child('status')));
      else if (status !== 'True') errors.push(notSupported(path.child('status'), status, ['True']));
    } else if (status === '') errors.push(required(path.child('status')));
    else if (!['False', 'True', 'Unknown'].includes(status)) {
      errors.push(notSupported(path.child('status'), status, ['False', 'True', 'Unknown']));
    }
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (opposite !== undefined && seen.has(opposite)) {
      const detail = 'Approved and Denied conditions are mutually exclusive';
      errors.push(invalid(path.child('type'), type, detail));
    }
    if (seen.has(type)) errors.push(duplicate(path.child('type'), type));
    seen.add(type);
  }
  return errors;
}

/** The older version takes conditions of one type more than once, and types without a name. */
function validateOldConditions(request: ApiObject): FieldError[] {
  return validateConditions(request).filter(
    ({ reason, field }) =>
      reason !== 'FieldValueDuplicate' && !(reason === 'FieldValueRequired' && field.endsWith('.type')),
  );
}

/** A certificate is text with blocks of certificates and nothing else; one that was there may stay as it is. */
function validateCertificate(request: ApiObject, old: ApiObject): FieldError[] {
  const certificate = textOf(objectOf(request.status).certificate);
  if (certificate === '' || certificate === textOf(objectOf(old.status).certificate)) return [];
  const fault = certificateFault(Buffer.from(certificate, 'base64').toString('latin1'));
  return fault === undefined ? [] : [invalid(FieldPath.of('status', 'certificate'), '<certificate data>', fault)];
}

/** Whoever has been approved or denied stays so. */
function validateKeptVerdicts(request: ApiObject, old: ApiObject): FieldError[] {
  return VERDICTS.flatMap((type) => {
    const before = conditionsOf(old).some((one) => one.type === type);
    const now = conditionsOf(request).some((one) => one.type === type);
    if (!before || now) return [];
    return [forbiddenField(CONDITIONS, `updates may not remove a condition of type ${JSON.stringify(type)}`)];
  });
}

function validateKeptCertificate(request: ApiObject, old: ApiObject): FieldError[] {
  const before = textOf(objectOf(old.status).certificate);
  if (before === '' || textOf(objectOf(request.status).certificate) === before) return [];
  const detail = 'updates may not set certificate content if one already exists';
  return [forbiddenField(FieldPath.of('status', 'certificate'), detail)];
}

/** Conditions tell when they were last changed, whether or not clients say so; in place. */
function stampConditions(request: ApiObject, old: ApiObject, { now }: WriteContext): void {
  const before = new Map(conditionsOf(old).map((one) => [textOf(one.type), one]));
  for (const condition of listOf(objectOf(request.status).conditions)) {
    if (!isObject(condition)) continue;
    const known = before.get(textOf(condition.type));
    if (known && equalJson(known, condition)) continue;
    condition.lastUpdateTime ??= formatTime(now);
    if (condition.lastTransitionTime !== undefined && condition.lastTransitionTime !== null) continue;
    const kept = known?.status === condition.status ? known?.lastTransitionTime : undefined;
    condition.lastTransitionTime = kept ?? formatTime(now);
  }
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\s]*)-----END \1-----/;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/** What is wrong with a certificate signing request in PEM, in the words of the service; undefined when nothing is. */
function requestFault(pem: string): string | undefined {
  const [, label, base64 = ''] = BLOCK.exec(pem) ?? [];
  if (label !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  return isRequest(Buffer.from(base64, 'base64')) ? undefined : 'asn1: structure error: not a certificate request';
}

/** Whether bytes have the outer form of PKCS #10: a version, a name, a public key, attributes; all of it signed. */
function isRequest(bytes: Buffer): boolean {
  const outer = read(bytes, 0);
  if (outer?.tag !== SEQUENCE || outer.end !== bytes.length) return false;
  const info = read(bytes, outer.start);
  if (info?.tag !== SEQUENCE) return false;
  const version = read(bytes, info.start);
  const name = version && read(bytes, version.end);
  const key = name && read(bytes, name.end);
  const algorithm = read(bytes, info.end);
  const signature = algorithm && read(bytes, algorithm.end);
  if (version?.tag !== INTEGER || name?.tag !== SEQUENCE || key?.tag !== SEQUENCE || signature?.end !== outer.end) {
    return false;
  }
  try {
    createPublicKey({ key: bytes.subarray(name.end, key.end), format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
}

/** One value of DER: its tag, where its content starts and where it ends. */
function read(bytes: Buffer, at: number): { tag: number; start: number; end: number } | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) return undefined;
  const extra = first < 0x80 ? 0 : first & 0x7f;
  if (extra > 4 || at + 2 + extra > bytes.length) return undefined;
  const length = extra === 0 ? first : bytes.readUIntBE(at + 2, extra);
  const start = at + 2 + extra;
  return start + length > bytes.length ? undefined : { tag, start, end: start + length };
}
