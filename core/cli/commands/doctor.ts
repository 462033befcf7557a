import { appOption, defineCommand, jsonOption } from '../command.js'
import type { DoctorOptions } from '../doctor/doctor.js'

export const command = defineCommand<DoctorOptions>({
  says: 'look at the database and the project, and say what is wrong and what to do about it; ends with 1 where something is',
  place: 8,
  options: [
    appOption,
    jsonOption,
    { flags: '--fix', says: 'fix what can be fixed without losing data, and add to the database what a start adds' },
    { flags: '--backup <file>', says: 'prove that a backup can be restored, and look at nothing else' },
  ],
  run: async ({ options, io }) => (await import('../doctor/doctor.js')).doctor(options, io),
})
