// What a Capp has written lately, where the hub has a reader, and the line for a shell that follows it.
import { useState } from 'preact/hooks';
import type { ShownLog } from '../../feed/logs.ts';
import { sentence } from '../hub.ts';
import { Command, Nothing, Panel } from '../parts/words.tsx';
import { program } from '../program.ts';

interface Props {
  readonly namespace: string;
  readonly name: string;
  readonly mayRead: boolean;
}

export function Logs({ namespace, name, mayRead }: Props) {
  const [log, setLog] = useState<ShownLog | string | null>(null);
  const ask = (): void => {
    setLog('The hub asks the site…');
    program()
      .read<{ log: ShownLog }>({ what: 'log', namespace, name })
      .then(
        (answer) => setLog(answer.log),
        (error: unknown) => setLog(sentence(error)),
      );
  };
  const show = (
    <button type="button" onClick={ask}>
      {log === null ? 'Show the last lines' : 'Read again'}
    </button>
  );
  return (
    <Panel title="Logs" aside={mayRead ? show : null}>
      {typeof log === 'string' ? <p role="status">{log}</p> : null}
      {log !== null && typeof log === 'object' ? <Lines log={log} /> : null}
      <p class="small dim">
        {mayRead ? 'From a shell, and on:' : 'For who may read its logs, from a shell:'}
      </p>
      <Command text={`kubectl capp logs ${name} -f -n ${namespace}`} />
    </Panel>
  );
}

function Lines({ log: { lines, remarks } }: { readonly log: ShownLog }) {
  return (
    <>
      {remarks.map((one) => (
        <p key={one} class="dim small">
          {one}
        </p>
      ))}
      {lines.length === 0 ? (
        <Nothing>It has written nothing that its site still keeps.</Nothing>
      ) : (
        <pre tabIndex={0} aria-label="The last lines">
          {lines.map(({ site, text }) => `${site} | ${text}`).join('\n')}
        </pre>
      )}
    </>
  );
}
