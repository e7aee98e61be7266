// The handlers of a workflow in memory, and the messages that have come before there were any.
import { TemporalFailure } from '@temporalio/common';
import type { Runtime } from '../../../../workflows/engine/runtime.ts';
import type { Message, Update } from './batch.ts';
import type { Outcome } from './exchange.ts';

type Handler = (...given: readonly unknown[]) => unknown;

interface Handling {
  readonly does: Handler;
  readonly validator: Handler | undefined;
}

/** Who hears what comes of messages. */
export interface Hearer {
  accept(update: Update): void;
  answer(update: Update, outcome: Outcome): void;
  /** The workflow or its task fails with it. */
  fail(error: Error): void;
}

export class Handlers {
  readonly #hearer: Hearer;
  readonly #handlers = new Map<string, Handling>();
  /** What waits for its handler; null when all of them stand. */
  #early: Message[] | null = [];
  #atWork = 0;

  constructor(hearer: Hearer) {
    this.#hearer = hearer;
  }

  /** Registers one, which hears at once what has waited for it. */
  readonly set = ((
    definition: { type: string; name: string },
    does: Handler,
    options?: { validator?: Handler },
  ) => {
    const { type, name } = definition;
    this.#handlers.set(`${type} ${name}`, { does, validator: options?.validator });
    const isIts = (message: Message): boolean => message.is === type && message.name === name;
    const its = this.#early?.filter(isIts) ?? [];
    this.#early = this.#early?.filter((message) => !isIts(message)) ?? null;
    for (const message of its) this.hear(message);
  }) as Runtime['handle'];

  /** Messages without a handler are lost from now on. */
  stand(): void {
    this.#early = null;
  }

  get areDone(): boolean {
    return this.#atWork === 0;
  }

  query(name: string): unknown {
    return this.#handlers.get(`query ${name}`)?.does();
  }

  hear(message: Message): void {
    const handler = this.#handlers.get(`${message.is} ${message.name}`);
    if (handler === undefined) return void this.#early?.push(message);
    const reply = message.is === 'update' ? this.#accepted(message, handler.validator) : () => undefined;
    if (reply === null) return;
    this.#atWork += 1;
    const work = async (): Promise<unknown> => await handler.does(...message.given);
    const answered = message.is === 'update' ? work().then((value) => reply({ value })) : work();
    void answered
      .catch((error: Error) =>
        message.is === 'update' && error instanceof TemporalFailure
          ? reply({ error })
          : this.#hearer.fail(error),
      )
      .finally(() => void (this.#atWork -= 1));
  }

  /** Gives the way to answer; null if it is refused at once. */
  #accepted(update: Update, validator: Handler | undefined): ((outcome: Outcome) => void) | null {
    try {
      validator?.(...update.given);
    } catch (error) {
      update.reply({ error: error as Error });
      return null;
    }
    this.#hearer.accept(update);
    return (outcome) => {
      this.#hearer.answer(update, outcome);
      update.reply(outcome);
    };
  }
}
