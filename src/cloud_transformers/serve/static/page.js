// The page: chooses an input, submits it, follows jobs, shows results. It talks to its own server alone.
"use strict";

const KEPT = "cloudt-jobs", TOKEN = "cloudt-token", UNFINISHED = ["uploading", "queued", "running"];
const at = (id) => document.getElementById(id);
const kept = new Set(JSON.parse(localStorage.getItem(KEPT) ?? "[]"));  // ids of jobs, oldest first
const jobs = new Map();  // id -> its last status, once it is known
let offer = null, file = null, sample = null, viewer = null;
let early = null;  // a file that fell onto the page before it knew what the server offers
let awaited = null, shown = null;  // the job that will be shown when it is done, and the one that is

// Talking to the server

async function ask(path, options = {}) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(path, { ...options, headers });
  if (response.ok) return response;
  if (response.status === 401) at("token-form").hidden = false;
  const said = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  throw Object.assign(new Error(said.error), { status: response.status });
}

const complain = (error) => { at("complaint").textContent = error ? `Not done: ${error.message}` : ""; };
const tell = (text) => { at("news").textContent = text; };

// Browsers open six connections to a server, and one that follows a job stays open: jobs take turns in four lanes.
const lanes = Array.from({ length: 4 }, () => Promise.resolve());

function inTurn(act) {
  const turn = lanes.shift().then(act);
  lanes.push(turn.catch(() => {}));
  return turn;
}

async function* events(id) {  // not EventSource, which cannot send a token
  const reader = (await ask(`api/jobs/${id}/events`)).body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (text + value).split("\n\n");
    text = parts.pop();
    for (const part of parts) if (part.startsWith("data: ")) yield JSON.parse(part.slice(6));
  }
}

// Choosing

async function start() {
  try {
    offer = await (await ask("api/offer")).json();
  } catch (error) {
    complain(error);
    return;
  }
  at("token-form").hidden = true;
  complain(null);
  at("file").accept = [...offer.clouds, ...offer.pictures, ".gz", ".zip"].join(",");
  const tasks = [...new Set(offer.weights.map((each) => each.task))];
  at("task").replaceChildren(...tasks.map((task) => new Option(task)));
  at("format").replaceChildren(...offer.written.map((format) => new Option(format)));
  for (const each of offer.samples.filter((one) => tasks.includes(one.task))) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: each.name });
    button.title = each.title;
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => choose(null, each));
    at("samples").append(button);
  }
  listWeights();
  if (early) choose(early, null);
  early = null;
  for (const id of kept) if (id !== linkedJob()) follow(id);
  openLinked();
}

function choose(newFile, newSample) {
  [file, sample] = [newFile, newSample];
  at("chosen").textContent = file ? `${file.name}, ${size(file.size)}` : "or choose a file";
  for (const button of at("samples").querySelectorAll("button"))
    button.setAttribute("aria-pressed", String(button.textContent === sample?.name));
  const picture = file && offer.pictures.some((suffix) => file.name.toLowerCase().endsWith(suffix));
  const task = sample?.task ?? (picture ? "reconstruction" : at("task").value);
  at("task").value = !picture && file && task === "reconstruction" ? "segmentation" : task;
  at("task").disabled = sample !== null;
  at("up").disabled = sample !== null;
  at("run").disabled = false;
  complain(null);
  listWeights();
}

function listWeights() {
  const fitting = offer.weights.filter((each) => each.task === at("task").value);
  at("weights").replaceChildren(...fitting.map((each) => new Option(each.name)));
  sayScore();
}

function sayScore() {
  at("score").textContent = offer.weights.find((each) => each.name === at("weights").value)?.score ?? "";
}

const size = (bytes) => bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;

async function submit() {
  complain(null);
  at("run").disabled = true;
  tell(file ? `Sending ${file.name} …` : "Asking for the sample …");
  try {
    const job = await (file ? sendFile() : ask(`api/samples/${sample.name}?${new URLSearchParams(
      { weights: at("weights").value, seed: at("seed").value })}`, { method: "POST" })).then((response) => response.json());
    remember(job);
    followAndShow(job.id);
    if (file && job.task !== "reconstruction") preview(job.id).catch(() => {});  // a courtesy: the job says what is wrong
  } catch (error) {
    complain(error);
    tell("");
  }
  at("run").disabled = false;
}

function sendFile() {
  if (file.size > offer.limits.upload_bytes)
    throw new Error(`the file is larger than the ${size(offer.limits.upload_bytes)} that this server takes`);
  const query = new URLSearchParams({ name: file.name.replace(/[\p{C}/\\]/gu, "_"), weights: at("weights").value });
  if (at("up").value) query.set("up", at("up").value);
  const headers = { "Content-Type": "application/octet-stream" };
  return ask(`api/tasks/${at("task").value}?${query}`, { method: "POST", body: file, headers });
}

// Jobs

function remember(job) {
  kept.add(job.id);
  jobs.set(job.id, job);
  if (job.id === awaited) tell(words(job));
  keepAndList();
}

function forget(id) {
  if (id === awaited) tell("This job is no longer there.");
  kept.delete(id);
  jobs.delete(id);
  keepAndList();
}

async function follow(id) {
  try {
    remember(await (await ask(`api/jobs/${id}`)).json());
    if (isUnfinished(id)) await inTurn(() => watch(id));
    if (id === awaited && jobs.get(id).state === "done") await show(id);
  } catch (error) {
    if (error.status === 404) forget(id);
    else if (isUnfinished(id)) setTimeout(() => follow(id), 2000);  // the server may come back
    else complain(error);
  }
}

function followAndShow(id) {
  awaited = id;
  follow(id);
}

const isUnfinished = (id) => UNFINISHED.includes(jobs.get(id)?.state);

async function watch(id) {
  for await (const job of events(id)) remember(job);
  if (isUnfinished(id)) throw new Error("the server stopped");
}

function words(job) {
  if (job.state === "queued") return `${job.name}: waits, ${job.ahead} before it`;
  if (job.state === "running") return `${job.name}: ${job.step}, ${Math.round(100 * job.progress)} %`;
  const reason = job.state === "failed" ? job.message?.replace(`${job.name}: `, "") : null;  // the name is said once
  return `${job.name}: ${job.state}${reason ? `, ${reason}` : ""}`;
}

function keepAndList() {
  localStorage.setItem(KEPT, JSON.stringify([...kept]));
  at("no-jobs").hidden = kept.size > 0;
  const focused = document.activeElement?.dataset.key, known = [...kept].filter((id) => jobs.has(id));
  at("jobs").replaceChildren(...known.reverse().map((id) => jobRow(jobs.get(id))));
  if (focused) at("jobs").querySelector(`[data-key="${focused}"]`)?.focus();
}

function jobRow(job) {
  const row = document.createElement("li");
  row.append(`${words(job)} (${job.task})`);
  if (job.state === "running" || job.state === "queued") {
    const bar = Object.assign(document.createElement("progress"), { max: 1, value: job.progress });
    bar.setAttribute("aria-label", `Progress of ${job.name}`);
    row.append(bar);
  }
  const buttons = Object.assign(document.createElement("div"), { className: "row" });
  if (job.state === "done") buttons.append(jobButton(job, "Show", () => show(job.id)));
  if (UNFINISHED.includes(job.state)) buttons.append(jobButton(job, "Cancel", () => cancel(job.id)));
  else buttons.append(jobButton(job, "Delete", () => remove(job.id)));
  row.append(buttons);
  return row;
}

function jobButton(job, text, act) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  button.dataset.key = `${text}-${job.id}`;
  button.setAttribute("aria-label", `${text} ${job.name}`);
  button.addEventListener("click", () => act().catch(complain));
  return button;
}

async function cancel(id) {
  remember(await (await ask(`api/jobs/${id}/cancel`, { method: "POST" })).json());
}

async function remove(id) {
  await ask(`api/jobs/${id}`, { method: "DELETE" }).catch((error) => { if (error.status !== 404) throw error; });
  forget(id);
  if (shown === id) {
    at("answer").hidden = at("viewer").hidden = true;
    tell("Deleted.");
  }
}

// Results

async function show(id) {
  const job = jobs.get(id);
  tell(`${job.name}: fetching the answer …`);
  const [result, scene] = await Promise.all([
    ask(`api/jobs/${id}/result`).then((response) => response.json()),
    ask(`api/jobs/${id}/scene`).then((response) => response.arrayBuffer()),
  ]);
  shown = id;
  history.replaceState(null, "", `#job=${id}`);
  at("answer").hidden = false;
  draw(scene);
  press("scene");
  document.querySelector('[data-view="folding"]').hidden = !["completion", "reconstruction"].includes(job.task);
  at("label").textContent = result.label ? `It is a ${result.label}.` : "";
  at("notes").replaceChildren(...result.notes.map((note) => Object.assign(document.createElement("li"), { textContent: note })));
  listClasses(result);
  await showPicture(job);
  tell(`${job.name}: ${result.points.toLocaleString("en")} points in ${result.seconds.toFixed(1)} s, by ${job.weights}`);
}

async function look(view) {
  const id = shown;
  tell("Looking inside …");
  const scene = await (await ask(`api/jobs/${id}/${view}`)).arrayBuffer();
  if (id !== shown) return;
  draw(scene);
  press(view);
  tell(`${jobs.get(id).name}, ${jobs.get(id).weights}`);
}

function press(view) {
  for (const button of document.querySelectorAll("[data-view]"))
    button.setAttribute("aria-pressed", String(button.dataset.view === view));
}

async function preview(id) {  // what went in, while the answer is not there
  const scene = await (await ask(`api/jobs/${id}/preview`)).arrayBuffer();
  if (id !== awaited || id === shown) return;
  at("answer").hidden = true;
  draw(scene);
}

function draw(scene) {
  const parsed = CloudViewer.parse(scene);
  at("viewer").hidden = false;
  if (viewer) viewer.show(parsed);
  else viewer = CloudViewer.mount(at("viewer"), parsed);
  if (matchMedia("(max-width: 56rem)").matches) at("show").scrollIntoView();
}

function listClasses(result) {
  const rows = result.classes.filter((each) => each.points ?? each.probability > 0.005).map((each) => {
    const row = document.createElement("tr");
    const value = each.points?.toLocaleString("en") ?? each.probability.toFixed(3);
    row.append(...[each.name, value].map((text) => Object.assign(document.createElement("td"), { textContent: text })));
    return row;
  });
  at("classes").hidden = rows.length === 0;
  at("classes").querySelector("tbody").replaceChildren(...rows);
  at("measure").textContent = result.label ? "probability" : "points";
}

async function showPicture(job) {
  const picture = at("picture");
  if (picture.src) URL.revokeObjectURL(picture.src);
  picture.hidden = job.task !== "reconstruction";
  if (!picture.hidden) picture.src = URL.createObjectURL(await (await ask(`api/jobs/${job.id}/input`)).blob());
}

async function download() {
  complain(null);
  const format = at("format").value, name = jobs.get(shown).name.replace(/\.[^.]*$/, "");
  tell(`Writing ${format} …`);
  const content = await (await ask(`api/jobs/${shown}/answer/${format}`)).blob();
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(content) });
  link.download = `${name}-answer.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  tell(`${link.download} was downloaded.`);
}

async function copyLink() {
  await navigator.clipboard.writeText(location.href);
  tell("The link is in the clipboard. Whoever has it can see this result until it is deleted.");
}

const linkedJob = () => new URLSearchParams(location.hash.slice(1)).get("job");

function openLinked() {
  if (linkedJob() && linkedJob() !== shown) followAndShow(linkedJob());
}

// Events of the page

at("order").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
at("file").addEventListener("change", () => { if (at("file").files.length) choose(at("file").files[0], null); });
at("task").addEventListener("change", listWeights);
at("weights").addEventListener("change", sayScore);
for (const button of document.querySelectorAll("[data-view]"))
  button.addEventListener("click", () => look(button.dataset.view).catch((error) => { tell(""); complain(error); }));
at("download").addEventListener("click", () => download().catch((error) => { tell(""); complain(error); }));
at("link").addEventListener("click", () => copyLink().catch(complain));
at("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, at("token").value);
  at("token").value = "";
  start();
});
addEventListener("hashchange", openLinked);
for (const kind of ["dragover", "dragleave", "drop"])
  addEventListener(kind, (event) => {
    event.preventDefault();
    at("drop").classList.toggle("over", kind === "dragover");
    const [fallen] = kind === "drop" ? event.dataTransfer.files : [];
    if (fallen && offer) choose(fallen, null);
    else if (fallen) early = fallen;
  });

start();
