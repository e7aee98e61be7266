// What something waits for or suffers from, until when, and what helps.
import type { ExplainedFinding } from '../../../explain/finding.ts';
import { Command, Since, Until } from './words.tsx';

export function Findings({ findings }: { readonly findings: readonly ExplainedFinding[] }) {
  return (
    <>
      {findings.map((finding) => (
        <FindingText key={`${finding.condition}${finding.reason}`} {...finding} />
      ))}
    </>
  );
}

function FindingText({
  condition,
  status,
  reason,
  since,
  until,
  words,
  message,
  remedy,
  command,
}: ExplainedFinding) {
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
