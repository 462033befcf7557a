import { appOption, defineCommand, jsonOption } from '../command.js'
import type { DoctorOptions } from '../doctor/findings.js'

export const command = defineCommand<DoctorOptions>({
  says: 'check the database and the project, and report each problem with its fix; exits with code 1 if there are any',
  place: 8,
  options: [
    appOption,
    jsonOption,
    {
      flags: '--fix',
      says: 'fix what can be fixed without losing data, and make the additions to the database that a server start makes',
    },
    { flags: '--backup <file>', says: 'only check that a backup can be restored' },
  ],
  run: async ({ options, io }) => (await import('../doctor/doctor.js')).doctor(options, io),
})
