/** Commands on the database of a gateway, as data. */
import type { CommandOutcome, CommandTerminal } from '../../../contract/src/cli.ts';
import type { GatewayConfig, SettingName } from '../config/settings.ts';
import type { Store } from '../database/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Author } from './command-services.ts';

export interface CommandContext {
  readonly store: Store;
  /** The database's. */
  readonly clock: Clock;
  readonly config: GatewayConfig;
  readonly terminal: CommandTerminal;
  /** Whether `--force` was given. */
  readonly force: boolean;
  /** The values of the command's own options. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** An option of one command. */
export interface OwnOption {
  /** As in the help, such as `--to <database>`. */
  readonly form: string;
  readonly description: string;
  /** Gets the text, and the value so far if the option is given several times. */
  readonly parse?: (text: string, previous: never) => unknown;
}

interface Described {
  /** Name and arguments, such as `revoke <merchant-id> <key-id>`. */
  readonly usage: string;
  readonly description: string;
  /** Runs if no command of its group is named. */
  readonly isDefault?: true;
  /** Settings with options. Defaults to the database settings. */
  readonly settings?: readonly SettingName[];
  /** Description of `--force`, if the command has it. */
  readonly force?: string;
  readonly options?: readonly OwnOption[];
}

/** A command on the database. Its `run` gets the arguments as they were typed. */
export type DatabaseCommand = Described &
  (
    | {
        readonly action?: undefined;
        readonly run: (context: CommandContext, ...args: string[]) => Promise<CommandOutcome>;
      }
    | {
        /** The name under which its change is recorded, like an operationId of the management API. */
        readonly action: string;
        readonly run: (
          context: CommandContext & { readonly author: Author },
          ...args: string[]
        ) => Promise<CommandOutcome>;
      }
  );

/** Commands of two words, which share the first. */
export interface DatabaseGroup {
  readonly name: string;
  /** Missing if the group also has commands of the management API, and its description there. */
  readonly description?: string;
  readonly commands: readonly DatabaseCommand[];
}
