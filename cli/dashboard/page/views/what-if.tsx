// What would become of what is on a site if it died, by the hub's own functions.
import { useState } from 'preact/hooks';
import type { LossView } from '../../view/loss.ts';
import { program } from '../program.ts';
import { sentence } from '../hub.ts';

export function WhatIf({ site }: { readonly site: string }) {
  const [loss, setLoss] = useState<LossView | string | null>(null);
  const ask = (): void => {
    setLoss('The choice is made as the hub would make it…');
    program()
      .read<{ loss: LossView }>({ what: 'loss', name: site })
      .then(
        (answer) => setLoss(answer.loss),
        (error: unknown) => setLoss(sentence(error)),
      );
  };
  return (
    <section aria-label={`What if ${site} dies?`}>
      <p>
        <button type="button" onClick={ask}>
          What if it dies?
        </button>
      </p>
      {typeof loss === 'string' ? <p role="status">{loss}</p> : null}
      {loss !== null && typeof loss === 'object' ? <Loss loss={loss} /> : null}
    </section>
  );
}

function Loss({ loss: { says, rows, more, notes } }: { readonly loss: LossView }) {
  return (
    <>
      <p role="status">
        <strong>{says}</strong>
      </p>
      <ul class="rows">
        {rows.map(({ name, address, does, to, when, isEstimate, message }) => (
          <li key={address}>
            <a data-item href={`#${address}`}>
              {name}
            </a>{' '}
            <span class="tag">
              {does}
              {to === null ? '' : ` to ${to}`}
            </span>{' '}
            {when}
            {isEstimate ? ' (estimate)' : ''}
            <br />
            <span class="dim small">{message}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p class="dim small">and {more} more.</p> : null}
      {notes.map((note) => (
        <p key={note} class="dim small">
          {note}
        </p>
      ))}
    </>
  );
}
