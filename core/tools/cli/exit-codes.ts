import { BootError, type FailureKind, RequestError, UnavailableError } from '../../errors.js'

interface ExitCode {
  readonly code: number
  readonly says: string
  /** True if a restart alone may succeed. */
  readonly mayPass?: true
}

/** The exit codes of all commands; from 64 on they are those of `sysexits.h`, which systemd knows by name. */
export const exitCodes: Readonly<Record<FailureKind | 'done' | 'pending', ExitCode>> = {
  done: { code: 0, says: 'success; a server has finished its requests and stopped' },
  failed: {
    code: 1,
    says: 'a check found a problem (`stele doctor`, `stele types --check`), or the command failed for a reason without a code of its own',
    mayPass: true,
  },
  pending: { code: 2, says: '`stele plan` found pending changes' },
  usage: {
    code: 64,
    says: 'the command line is wrong: an unknown command or option, a folder that does not exist, or no terminal to ask on and no `--yes`',
  },
  data: {
    code: 65,
    says: 'the data is refused: a rename or removal waits for `stele apply`, a newer version has changed the database in a way that this one does not know, an import is half done, an archive is damaged or does not fit, or a command names an account, role or token that does not exist',
  },
  database: {
    code: 69,
    says: 'the database cannot be used: it does not reply, does not exist, or refuses the password',
    mayPass: true,
  },
  port: {
    code: 71,
    says: 'the server cannot listen: the port is taken, or the address is not that of this machine',
    mayPass: true,
  },
  busy: { code: 75, says: 'another process works on the same database: try again', mayPass: true },
  access: { code: 77, says: 'the system denies access to a file or folder' },
  configuration: { code: 78, says: 'a setting, a variable, a schema file or a plugin is wrong' },
  stopped: { code: 130, says: 'stopped by Ctrl+C, or the answer to the question was no' },
}

/** The exit code for an error that ended a command. */
export const exitCodeOf = (error: unknown): number => exitCodes[kindOf(error)].code

function kindOf(error: unknown): FailureKind {
  if (error instanceof BootError) return error.kind
  if (error instanceof UnavailableError) return 'database'
  if (error instanceof RequestError) return 'data'
  const { code } = Object(error) as NodeJS.ErrnoException
  return systemKinds[String(code)] ?? 'failed'
}

/** System errors by code, for errors that nothing has put in words before. */
const systemKinds: Readonly<Record<string, FailureKind>> = {
  EACCES: 'access',
  EPERM: 'access',
  EADDRINUSE: 'port',
  EADDRNOTAVAIL: 'port',
  ECONNREFUSED: 'database',
  ECONNRESET: 'database',
  ETIMEDOUT: 'database',
  ENOTFOUND: 'database',
}
