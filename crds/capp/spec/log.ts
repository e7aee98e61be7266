// Where a Capp's output goes: the field `logSpec`.
import { z } from 'zod';
import { filled, rules } from '../../definitions/rules.ts';

const text = (max: number) => z.string().max(max);

export const LogSpec = z
  .object({
    type: z.enum(['elastic', 'elastic-datastream']).exactOptional(),
    host: text(2048).describe('Where logs go.').exactOptional(),
    index: text(255).exactOptional(),
    user: text(255).exactOptional(),
    passwordSecret: text(253).describe('Name of a Secret with the key "elastic".').exactOptional(),
    username: text(255).describe('Older name of user.').exactOptional(),
    passwordSecretName: text(253).describe('Older name of passwordSecret.').exactOptional(),
    sslVerify: z
      .boolean()
      .describe('Whether the certificate of the host is checked. Default false, as upstream.')
      .exactOptional(),
  })
  .meta(
    rules(
      [
        `!has(self.type) || (${filled('host')})`,
        'host is required with a type: write where the logs go',
        '.host',
      ],
      [
        `!has(self.type) || self.type != 'elastic' || (${filled('index')})`,
        'index is required with type elastic: write into which index the logs go',
        '.index',
      ],
      [
        `!has(self.type) || (${filled('user')}) || (${filled('username')})`,
        'user is required with a type: write as whom the logs are sent',
        '.user',
      ],
      [
        `!has(self.type) || (${filled('passwordSecret')}) || (${filled('passwordSecretName')})`,
        'passwordSecret is required with a type: name the Secret that holds the password',
        '.passwordSecret',
      ],
      [
        `has(self.type) || !(${['host', 'index', 'user', 'username', 'passwordSecret', 'passwordSecretName'].map((f) => `(${filled(f)})`).join(' || ')})`,
        'type is required when any other field of logSpec is set: write elastic or elastic-datastream, or remove the others',
        '.type',
      ],
    ),
  );
