// What something waits for or suffers from, until when, and what helps.
import type { Finding } from '../../../explain/finding.ts';
import { Command, Since, Until } from './words.tsx';

export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <>
      {findings.map((finding) => (
        <FindingText key={`${finding.condition}${finding.reason}`} {...finding} />
      ))}
    </>
  );
}

function FindingText({ condition, status, reason, since, until, words, message, remedy, command }: Finding) {
  return (
    <article class="finding">
      <h3>
        {until === null ? words : words.replace(/\.$/, ',')}
        {until === null ? null : (
          <>
            {' at the latest '}
            <Until time={until} />
          </>
        )}
      </h3>
      <p>{message}</p>
      <p>
        <strong>What helps:</strong> {remedy}
      </p>
      <Command text={command} />
      <p class="dim small">
        {condition}={status} ({reason}), since <Since time={since} />
      </p>
    </article>
  );
}
