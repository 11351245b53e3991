// A chat with the agent that the link opens: docs/demos.md describes the requests.
const base = location.pathname;
const byId = (id) => document.getElementById(id);
let session;

byId('start').addEventListener('submit', (event) => {
  event.preventDefault();
  void start();
});
byId('write').addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});
byId('end').addEventListener('click', () => void end());
byId('text').addEventListener('keydown', (event) => {
  // While an input method composes a character, Enter belongs to it.
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId('write').requestSubmit();
});

async function start() {
  setBusy(true, 'The agent is being connected…');
  byId('conversation').replaceChildren();
  try {
    const { chat_session_id: id, first_message: text, status } = await post('sessions', {});
    session = id;
    add('agent', text);
    showWriting(status === 'open');
    setBusy(false, status === 'open' ? '' : 'The chat has ended.');
  } catch (error) {
    fail(error);
  }
}

async function send() {
  const text = byId('text').value;
  if (text.trim() === '' || byId('send').disabled) return;
  setBusy(true, 'The agent is writing…');
  const line = add('visitor', text);
  byId('text').value = '';
  try {
    const { agent_text: reply, status } = await post(`sessions/${session}/turns`, { text });
    add('agent', reply);
    if (status === 'ended') showWriting(false);
    setBusy(false, status === 'ended' ? 'The chat has ended.' : '');
  } catch (error) {
    // The message may be sent again, unless the chat is over.
    if (error.status !== 404) {
      line?.remove();
      byId('text').value = text;
    } else {
      showWriting(false);
    }
    fail(error);
  }
}

async function end() {
  setBusy(true, 'The chat is being ended…');
  try {
    await post(`sessions/${session}/end`, {});
  } catch (error) {
    if (error.status !== 404) return fail(error);
  }
  showWriting(false);
  setBusy(false, 'The chat has ended.');
}

/** @throws an error with the status of the response; 0 if there was none */
async function post(path, body) {
  let response;
  let answer = {};
  try {
    response = await fetch(`${base}/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    answer = await response.json();
  } catch {
    throw Object.assign(new Error('no response'), { status: response?.status ?? 0 });
  }
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

const problems = {
  0: 'The agent could not be reached. Try again.',
  400: 'The message could not be sent.',
  404: 'This chat is over, or its link is no longer open.',
  409: 'The agent has no conversations now. Try again later.',
  429: 'There were too many conversations. Try again later.',
  503: 'The agent could not be reached in time. Try again.',
};

function fail(error) {
  setBusy(false, '');
  byId('problem').textContent = problems[error.status] ?? 'Something went wrong. Try again.';
}

function setBusy(busy, text) {
  byId('problem').textContent = '';
  byId('state').textContent = text;
  for (const id of ['send', 'end']) byId(id).disabled = busy;
  byId('start').querySelector('button').disabled = busy;
  byId('conversation').setAttribute('aria-busy', String(busy));
}

/** Shows the field for messages, or the button that starts a chat, and moves the focus there. */
function showWriting(open) {
  byId('write').hidden = !open;
  byId('start').hidden = open;
  byId('text').value = '';
  (open ? byId('text') : byId('start').querySelector('button')).focus();
}

/** Adds a line to the conversation; none for an agent that waits for the visitor's first message. */
function add(speaker, text) {
  if (text === '') return undefined;
  const line = document.createElement('li');
  line.dataset.speaker = speaker;
  const name = document.createElement('span');
  name.className = 'speaker';
  name.textContent = speaker === 'agent' ? 'Agent' : 'You';
  const words = document.createElement('span');
  words.textContent = text;
  line.append(name, words);
  byId('conversation').append(line);
  line.scrollIntoView({ block: 'nearest' });
  return line;
}
