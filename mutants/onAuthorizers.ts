import type { JsonObject } from '../reference/api/json.ts';
import type { Attributes, AuthorizationResult, Authorizer } from '../reference/contracts/authorizer.ts';
import type { AuthorizationWebhookOptions, AuthorizerOptions } from '../reference/contracts/serverOptions.ts';
import type { Files } from '../reference/ports/files.ts';
import type { Seams } from '../reference/seams.ts';
import type { Start } from './mutant.ts';

type Ask = (asked: Attributes) => Promise<AuthorizationResult>;
/** @param member name of the authorizer that is asked */
export type Around = (asked: Attributes, ask: Ask, member: string) => Promise<AuthorizationResult>;

/** Puts something between the chain of authorizers and who asks it. */
export function onChain(around: Around): Seams {
  return { authorizer: (chain) => asking(chain, around) };
}

/** The same for members of the chain: those of this name, or all. */
export function onMember(name: string | undefined, around: Around): Seams {
  return {
    eachAuthorizer: (member) => (name === undefined || member.name === name ? asking(member, around) : member),
  };
}

/** Alters the verdict of members of the chain. */
export function onVerdict(
  name: string | undefined,
  change: (verdict: AuthorizationResult, asked: Attributes) => AuthorizationResult,
): Seams {
  return onMember(name, async (asked, ask) => change(await ask(asked), asked));
}

function asking(authorizer: Authorizer, around: Around): Authorizer {
  const ask: Ask = async (asked) => authorizer.authorize(asked);
  const altered: Authorizer = { name: authorizer.name, authorize: (asked) => around(asked, ask, authorizer.name) };
  // Who can list rules still can.
  if (!('rulesFor' in authorizer)) return altered;
  const { rulesFor } = authorizer as Authorizer & { rulesFor: (...asked: unknown[]) => unknown };
  return Object.assign(altered, { rulesFor: rulesFor.bind(authorizer) });
}

export const allowed = (by: string): AuthorizationResult => ({ decision: 'allow', reason: '', by });
export const unopinionated = (by: string): AuthorizationResult => ({ decision: 'noOpinion', reason: '', by });

/** Starts with other authorizers than those that were configured. */
export function withAuthorizers(
  change: (authorizers: readonly AuthorizerOptions[]) => readonly AuthorizerOptions[],
): Start {
  return {
    options: (options) => {
      const { file, authorizers } = options.authorization;
      const altered = file && { ...file, parse: (text: string) => change(file.parse(text)) };
      return { ...options, authorization: { authorizers: change(authorizers), ...(altered ? { file: altered } : {}) } };
    },
  };
}

/** Starts with webhooks that have other settings than those that were configured. */
export function withWebhooks(
  change: (webhook: AuthorizationWebhookOptions) => Partial<AuthorizationWebhookOptions>,
): Start {
  return withAuthorizers((authorizers) =>
    authorizers.map((one) =>
      one.type === 'Webhook' ? { ...one, webhook: { ...one.webhook, ...change(one.webhook) } } : one,
    ),
  );
}

interface WrittenConfig extends JsonObject {
  authorizers: JsonObject[];
}

/** Reads another AuthorizationConfiguration than the one in the file, so that what is wrong with it passes. */
export function mendingConfig(mend: (config: WrittenConfig) => void): Start {
  return {
    files: (files): Files => ({
      read: (path) => {
        const text = files.read(path);
        if (!text.includes('"authorizers"')) return text;
        const config = JSON.parse(text) as WrittenConfig;
        mend(config);
        return JSON.stringify(config);
      },
    }),
  };
}

/** As {@link mendingConfig} for the settings of each webhook. */
export function mendingWebhooks(mend: (settings: JsonObject) => void): Start {
  return mendingConfig(({ authorizers }) => {
    for (const { webhook } of authorizers) if (webhook) mend(webhook as JsonObject);
  });
}

/** Asks as if the verb were another. */
export const withVerb = (asked: Attributes, verb: string): Attributes => ({ ...asked, verb });

export const asVerb = (from: string, to: string) =>
  onChain((asked, ask) => ask(asked.isResource && asked.verb === from ? withVerb(asked, to) : asked));
