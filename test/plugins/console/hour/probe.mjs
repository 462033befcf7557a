// Loaded into a server: on a signal, it collects its garbage and says what is left.
import v8 from 'node:v8'
import vm from 'node:vm'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc')

process.on('SIGUSR2', () => {
  collect()
  process.stderr.write(`heap ${process.memoryUsage().heapUsed}\n`)
})
