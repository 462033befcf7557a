// Runs every command of core/tools/cli/production/README.md, in order, in an empty Debian of its own (debootstrap,
// chroot, as root). Stand-ins replace the parts that such a root lacks: `systemctl` and `systemd-run`, which read the
// unit, for systemd; a certificate authority of the machine for certbot; a tarball of this Node.js for nodejs.org. The
// rest is real: apt, nginx, prometheus, npm, git. `node test/install/operations.mjs [folder]` keeps the root in a folder,
// and starts from a copy of it.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

const repository = path.resolve(import.meta.dirname, '../..')
const page = fs.readFileSync(path.join(repository, 'core/tools/cli/production/README.md'), 'utf8')
const blocks = [...page.matchAll(/^```(sh|js)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }))
const host = 'api.example.org'
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'stele-operations-'))
const root = path.join(work, 'root')
const inRoot = (...names) => path.join(root, ...names)
const mounted = []

function makeRoot() {
  const kept = process.argv[2]
  if (kept && fs.existsSync(path.join(kept, 'etc/debian_version'))) execFileSync('cp', ['-a', kept, root])
  else {
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', root])
    if (kept) execFileSync('cp', ['-a', root, kept])
  }
  for (const name of ['proc', 'dev']) {
    fs.mkdirSync(inRoot(name), { recursive: true })
    execFileSync('mount', ['--bind', `/${name}`, inRoot(name)])
    mounted.push(inRoot(name))
  }
  fs.copyFileSync('/etc/resolv.conf', inRoot('etc/resolv.conf'))
  fs.writeFileSync(inRoot('etc/hosts'), `127.0.0.1 localhost ${host}\n`)
  // Services are started by the stand-in, not by packages.
  write('usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n')
  // A Debian that was installed has these two; how this machine reaches registries is its own affair.
  const settings = '/etc/apt/apt.conf.d'
  for (const name of fs.readdirSync(settings).map(name => `${settings}/${name}`))
    if (/Acquire/.test(fs.readFileSync(name, 'utf8'))) fs.copyFileSync(name, inRoot(name))
  for (const name of ['root/.npmrc', 'etc/npmrc'])
    if (fs.existsSync(`/${name}`)) fs.copyFileSync(`/${name}`, inRoot(name))
  fs.cpSync('/usr/local/share/ca-certificates', inRoot('usr/local/share/ca-certificates'), { recursive: true })
  chroot(
    'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -yqq --no-install-recommends procps systemd >/dev/null',
  )
}

/** A repository with an app of `stele init` that has the settings of the page, and a newer commit for the update. */
function makeApp() {
  const app = path.join(work, 'app')
  const npm = (...words) => execFileSync('npm', words, { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync('npm', ['pack', '--pack-destination', work], { cwd: repository, stdio: 'ignore' })
  const tarball = fs.readdirSync(work).find(name => name.endsWith('.tgz'))
  execFileSync(process.execPath, [path.join(repository, 'core/tools/cli/stele.js'), 'init', app], {
    stdio: 'ignore',
  })
  fs.renameSync(path.join(work, tarball), path.join(app, 'stele.tgz'))
  const manifest = JSON.parse(fs.readFileSync(path.join(app, 'package.json'), 'utf8'))
  manifest.dependencies.stele = 'file:stele.tgz'
  fs.writeFileSync(path.join(app, 'package.json'), JSON.stringify(manifest))
  npm('install', '--package-lock-only', '--no-audit', '--no-fund')
  for (const { language, text } of blocks) {
    const [, name] = /^\/\/ (config\S+)\n/.exec(text) ?? []
    if (language !== 'js' || name === undefined) continue
    fs.mkdirSync(path.dirname(path.join(app, name)), { recursive: true })
    fs.writeFileSync(path.join(app, name), text)
  }
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...words], { cwd: app })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'first')
  execFileSync('git', ['clone', '-q', '--bare', app, inRoot('opt/standins/my-app.git')])
  fs.writeFileSync(
    path.join(app, 'content-types/book.json'),
    JSON.stringify({
      info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
      attributes: { title: { type: 'string' } },
    }),
  )
  git('add', '-A')
  git('commit', '-qm', 'books')
  execFileSync('git', ['clone', '-q', '--bare', app, inRoot('opt/standins/newer.git')])
  chroot('chown -R root:root /opt/standins')
}

function standIn() {
  const mirror = inRoot('opt/standins/nodejs.org/dist/latest-v24.x')
  const name = 'node-v24.0.0-linux-x64'
  fs.mkdirSync(path.join(mirror, name, 'bin'), { recursive: true })
  fs.mkdirSync(path.join(mirror, name, 'lib/node_modules'), { recursive: true })
  fs.copyFileSync(process.execPath, path.join(mirror, name, 'bin/node'))
  const npm = path.resolve(fs.realpathSync(execFileSync('which', ['npm']).toString().trim()), '../..')
  fs.cpSync(npm, path.join(mirror, name, 'lib/node_modules/npm'), { recursive: true })
  fs.symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(mirror, name, 'bin/npm'))
  execFileSync('sh', ['-c', `tar -c ${name} | xz -0 > ${name}.tar.xz && sha256sum ${name}.tar.xz > SHASUMS256.txt`], {
    cwd: mirror,
  })
  fs.rmSync(path.join(mirror, name), { recursive: true })
  write(
    'usr/local/sbin/curl',
    '#!/bin/sh\nexec /usr/bin/curl $(echo "$*" | sed "s#https://nodejs.org#file:///opt/standins/nodejs.org#")\n',
  )
  write('etc/gitconfig', '[url "file:///opt/standins/my-app.git"]\n  insteadOf = https://example.org/my-app.git\n')
  write('usr/local/sbin/systemctl', systemctl)
  write('usr/local/sbin/systemd-run', systemdRun)
  write('usr/local/sbin/certbot', certbot)
  write('opt/page.sh', script())
}

/** The commands of the page in one shell, as they are typed, then what has to be true in the end. */
function script() {
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .map(({ text }, index) => {
      const before = text.includes('git pull')
        ? 'rm -rf /opt/standins/my-app.git && mv /opt/standins/newer.git /opt/standins/my-app.git\n'
        : ''
      return `echo; echo "--- block ${index + 1}: ${text.split('\n')[0].replace(/["$`\\]/g, '')}"\n${before}${text}`
    })
  return `failed=0
wrong() { code=$?; case "$1" in *plan*) [ $code = 2 ] && return;; esac; failed=$((failed + 1)); echo "FAILED with $code: $1"; }
up() { curl -sG http://127.0.0.1:9090/api/v1/query --data-urlencode 'query=up{job="stele"}' | grep -o '"[01]"' | tr -d '"'; }
set -o pipefail
trap 'wrong "$BASH_COMMAND"' ERR
cd /root
export DEBIAN_FRONTEND=noninteractive
${commands.join('\n')}
echo; echo "--- what has to be true"
for try in $(seq 100); do curl -sf http://127.0.0.1:1337/_health/ready && break; sleep 0.2; done; echo
set -x
curl -sSf https://${host}/api/articles | grep -q '"Hello"'
curl -sS -o /dev/null -w '%{http_code}\\n' http://${host}/api/articles | grep 301
[ "$(curl -sS -o /dev/null -w '%{http_code}' https://${host}/api/books)" = 403 ]
test "$(stat -c %U:%a /var/lib/stele/data.db)" = stele:600
ls /var/lib/stele/backups/backup-*.tar.gz
for try in $(seq 120); do [ "$(up)" = 1 ] && break; sleep 1; done
[ "$(up)" = 1 ]
curl -s http://127.0.0.1:9090/api/v1/rules | grep -q SteleDown
systemd-analyze verify --man=no /etc/systemd/system/stele.service
set +x
echo "$failed commands failed"
exit $((failed > 0))
`
}

const unitParts = `unit=/etc/systemd/system/stele.service
credentials=/run/credentials/stele.service
setting() { sed -n "s/^$1=//p" $unit; }
`

/** Reads what it needs of the unit, and runs nothing that is not there. */
const systemctl = `#!/bin/bash
${unitParts}
start_stele() {
  mkdir -p $credentials
  setting LoadCredential | while IFS=: read name file; do install -o stele -m 400 $file $credentials/$name; done
  install -d -o stele -g stele -m 700 /var/lib/$(setting StateDirectory) /var/cache/$(setting CacheDirectory)
  read -a words <<< "$(setting Environment | sed "s#%d#$credentials#g" | tr '\\n' ' ')"
  cd $(setting WorkingDirectory)
  umask $(setting UMask)
  setpriv --reuid=$(setting User) --regid=$(setting Group) --clear-groups env -i PATH=$PATH HOME=/nonexistent "\${words[@]}" \\
    $(setting ExecStart) > /var/log/stele.log 2>&1 < /dev/null &
  echo $! > /run/stele.pid
}
stop_stele() { kill $(cat /run/stele.pid) && tail --pid=$(cat /run/stele.pid) -f /dev/null; }
case "$*" in
  daemon-reload) systemd-analyze verify --man=no $unit;;
  'enable --now stele') start_stele;;
  'restart stele') stop_stele; start_stele;;
  'reload nginx') pgrep -x nginx > /dev/null && nginx -s reload || nginx;;
  'restart prometheus') pkill -x prometheus
    cd / && setpriv --reuid=prometheus --regid=prometheus --clear-groups prometheus --config.file=/etc/prometheus/prometheus.yml \\
      --storage.tsdb.path=/var/lib/prometheus/metrics2 --web.listen-address=127.0.0.1:9090 > /var/log/prometheus.log 2>&1 < /dev/null &;;
  'restart prometheus-alertmanager') ;;
  *) echo "systemctl stand-in: what is '$*'?" >&2; exit 1;;
esac
`

const systemdRun = `#!/bin/bash
${unitParts}
credentials=$(mktemp -d)
words=(); folder=/
while [[ $1 == --* ]]; do
  case $1 in
    --uid=*) user=\${1#*=};;
    --working-directory=*) folder=\${1#*=};;
    --setenv=*) words+=("\${1#*=}");;
    --property=LoadCredential=*) pair=\${1#*LoadCredential=}; install -o $user -m 400 \${pair#*:} $credentials/\${pair%%:*};;
    --property=Environment=*) read -a more <<< "\${1#*Environment=}"; words+=("\${more[@]//%d/$credentials}");;
    --pipe|--wait|--collect|--quiet) ;;
    *) echo "systemd-run stand-in: what is $1?" >&2; exit 1;;
  esac
  shift
done
chown $user $credentials
cd $folder && setpriv --reuid=$user --regid=$user --clear-groups env -i PATH=/usr/local/bin:/usr/bin:/bin "\${words[@]}" "$@"
code=$?
rm -r $credentials
exit $code
`

const certbot = `#!/bin/bash
set -e
[ "$1 $2" = '--nginx -d' ]
cd /etc/ssl/private
openssl req -x509 -newkey rsa:2048 -nodes -keyout authority.key -out authority.pem -subj /CN=authority -days 2 2> /dev/null
openssl req -newkey rsa:2048 -nodes -keyout site.key -out site.csr -subj /CN=$3 2> /dev/null
openssl x509 -req -in site.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 1 -out site.pem \\
  -extfile <(echo subjectAltName=DNS:$3) 2> /dev/null
cp authority.pem /usr/local/share/ca-certificates/authority.crt && update-ca-certificates > /dev/null 2>&1
site=/etc/nginx/sites-available/stele
sed -i "s#^    listen 80;#    listen 443 ssl;\\n    ssl_certificate $PWD/site.pem;\\n    ssl_certificate_key $PWD/site.key;#" $site
printf 'server {\\n    listen 80;\\n    server_name %s;\\n    return 301 https://$host$request_uri;\\n}\\n' $3 >> $site
nginx -t 2> /dev/null && systemctl reload nginx
`

function write(name, text) {
  fs.writeFileSync(inRoot(name), text, { mode: 0o755 })
}

function environment() {
  const own = Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|npm_config_registry)$/i.test(name),
  )
  const paths = ['HOME=/root', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'LANG=C.UTF-8']
  const authorities = 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'
  return [
    ...paths,
    ...(process.env.NODE_EXTRA_CA_CERTS ? [authorities] : []),
    ...own.map(([name, value]) => `${name}=${value}`),
  ]
}

function chroot(command) {
  execFileSync('chroot', [root, '/usr/bin/env', '-i', ...environment(), 'sh', '-c', command], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Processes started within the root are the only ones that are ended. */
function pidsIn(folder) {
  return fs
    .readdirSync('/proc')
    .filter(name => {
      try {
        return /^\d+$/.test(name) && fs.readlinkSync(`/proc/${name}/root`) === folder
      } catch {
        return false
      }
    })
    .map(Number)
}

function endAll(signal) {
  for (const pid of pidsIn(root))
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended by itself, as workers do with their supervisor.
    }
}

async function mustBeFree(port) {
  await new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', () => reject(new Error(`port ${port} of this machine is taken`)))
    server.listen(port, () => server.close(resolve))
  })
}

if (process.getuid?.() !== 0) throw new Error('it needs root: for debootstrap, chroot and the ports 80 and 443')
for (const port of [80, 443, 1337, 9090, 9464]) await mustBeFree(port)
try {
  const began = Date.now()
  makeRoot()
  makeApp()
  standIn()
  const { status } = spawnSync('chroot', [root, '/usr/bin/env', '-i', ...environment(), 'bash', '/opt/page.sh'], {
    stdio: 'inherit',
  })
  console.log(`\noperations: ${blocks.length} blocks of the page in ${Math.round((Date.now() - began) / 1000)} s`)
  process.exitCode = status ?? 1
} finally {
  endAll('SIGTERM')
  for (let tries = 0; pidsIn(root).length > 0 && tries < 50; tries += 1)
    await new Promise(done => setTimeout(done, 100))
  endAll('SIGKILL')
  for (const place of mounted.reverse()) execFileSync('umount', ['--lazy', place])
  // Never into what is mounted there.
  execFileSync('rm', ['-rf', '--one-file-system', work])
}
