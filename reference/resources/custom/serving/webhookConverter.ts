import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../../../api/json.ts';
import { ApiError } from '../../../api/status.ts';
import type { Converter } from '../../../contracts/converter.ts';
import type { Conversion } from '../../apiextensions/definition.ts';
import { ConversionFault, conversionReview, convertedObjects, kindText, restored } from './conversionReview.ts';
import { ReviewCaller } from './reviewCaller.ts';

interface WebhookConverterOptions {
  readonly dialect: Dialect;
  /** A new identifier for each question. */
  readonly uuid: () => string;
}

/** Conversion by a webhook, asked once for all objects that are not in the wanted version yet. */
export class WebhookConverter implements Converter {
  readonly #options: WebhookConverterOptions;
  readonly #caller: ReviewCaller;
  readonly #reviewVersions: readonly string[];

  constructor({ webhook }: Conversion, options: WebhookConverterOptions) {
    this.#options = options;
    this.#caller = new ReviewCaller(webhook?.clientConfig ?? {});
    this.#reviewVersions = webhook?.reviewVersions ?? [];
  }

  /** Throws ApiError 500 when the webhook cannot be asked, or its answer cannot be used. */
  async convert(objects: readonly JsonObject[], apiVersion: string): Promise<readonly JsonObject[]> {
    const others = objects.filter((object) => object.apiVersion !== apiVersion);
    const [first] = others;
    if (!first) return objects;
    const converted = await this.#ask(others, first, apiVersion);
    let next = 0;
    return objects.map((object) => (object.apiVersion === apiVersion ? object : (converted[next++] as JsonObject)));
  }

  /** Ends the connections that are kept; a question that is under way gets its answer. */
  close(): Promise<void> {
    return this.#caller.close();
  }

  async #ask(objects: readonly JsonObject[], first: JsonObject, apiVersion: string): Promise<JsonObject[]> {
    const who = `conversion webhook for ${kindText(first)}`;
    const failed = (error: unknown, words: string): ApiError =>
      new ApiError(500, '', `${who} ${words}: ${error instanceof Error ? error.message : String(error)}`);
    let found: ReturnType<typeof convertedObjects>;
    try {
      const { dialect, uuid } = this.#options;
      const review = conversionReview(dialect, this.#reviewVersions, uuid(), objects, apiVersion);
      found = convertedObjects(await this.#caller.ask(review), review);
    } catch (error) {
      throw failed(error, 'failed');
    }
    if (found.length !== objects.length) {
      throw new ApiError(500, '', `${who} returned ${found.length} objects, expected ${objects.length}`);
    }
    return found.map((object, index) => {
      try {
        return restored(object, objects[index] as JsonObject, apiVersion);
      } catch (error) {
        if (!(error instanceof ConversionFault)) throw error;
        throw failed(error, `returned invalid converted object at index ${index}`);
      }
    });
  }
}
