import { render } from 'preact'
import { App, loadViews } from './app.js'
import './styles/index.css'
import { start } from './shell/session.js'
import { speak } from './text.js'

const place = document.getElementById('page')
loadViews()
void start()
void speak().then(() => place && render(<App />, place))
