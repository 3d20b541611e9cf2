// What pages do beyond what they do without it: times in the reader's zone, progress of uploads, and states that move on.

const zone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function tellLocalTimes(root) {
  for (const place of root.querySelectorAll("[data-local]")) {
    const moment = new Date(place.dataset.local);
    if (!Number.isNaN(moment.valueOf())) place.textContent = `${zone.format(moment)} where you are`;
  }
}

const told = (size) => (size < 1048576 ? `${(size / 1024).toFixed(1)} KiB` : `${(size / 1048576).toFixed(1)} MiB`);

function say(form, words) {
  const place = form.querySelector("[data-said]");
  place.textContent = words;
  place.hidden = !words;
}

const parsed = (words) => new DOMParser().parseFromString(words, "text/html");

// Takes the code of the login that holds now, so that what was typed outlasts a login; says why where that cannot be.
async function renew(form) {
  const code = form.querySelector("[name=form_code]");
  const person = document.body.dataset.person;
  if (!code || !person) return "";
  let page;
  try {
    const answer = await fetch("/account", { headers: { accept: "text/html" } });
    if (!answer.ok) return "";
    page = parsed(await answer.text());
  } catch { return ""; } // the portal is away, which the sending itself will tell
  const now = page.body.dataset.person;
  if (!now) return "Your login has ended. Log in in another tab, then press the button once more: what you typed stays here.";
  if (now !== person) return "Somebody else is logged in by now, in another tab. Log in there as yourself, or open this page again.";
  code.value = page.querySelector("[name=form_code]").value;
  return "";
}

function sayBeside(form, words) {
  let place = form.querySelector("[data-said]") ?? form.querySelector("[data-told]");
  if (!place) {
    place = document.createElement("p");
    place.dataset.told = "";
    place.setAttribute("role", "alert");
    form.append(place);
  }
  place.textContent = `${words} `;
  place.hidden = false;
  const link = document.createElement("a");
  Object.assign(link, { href: "/login", target: "_blank", textContent: "Log in" });
  place.append(link);
}

function watchForms(root) {
  for (const form of root.querySelectorAll("main form[method=post]:not([data-most])")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (form.dataset.sending) return; // pressed twice
      form.dataset.sending = "yes";
      const why = await renew(form);
      if (why) { delete form.dataset.sending; sayBeside(form, why); } else form.submit();
    });
  }
}

function sizeFits(form, input) {
  const file = input.files[0];
  const most = Number(form.dataset.most);
  const fits = !file || file.size <= most;
  const words = fits ? "" : `The file has ${told(file.size)}; at most ${told(most)} are taken. Zip it, or leave out what is no prediction.`;
  input.setCustomValidity(words);
  say(form, words);
  return fits;
}

async function send(form) {
  const bar = form.querySelector("progress");
  const button = form.querySelector("button");
  button.disabled = true;
  const why = await renew(form);
  if (why) { button.disabled = false; sayBeside(form, why); return; }
  const request = new XMLHttpRequest();
  const fail = (words) => { button.disabled = false; bar.hidden = true; say(form, words); };
  request.upload.addEventListener("progress", (event) => {
    bar.hidden = false;
    bar.max = event.total;
    bar.value = event.loaded;
    say(form, event.loaded < event.total ? `${told(event.loaded)} of ${told(event.total)} are sent.` : "All is sent; it is being kept.");
  });
  request.addEventListener("load", () => {
    if (request.status < 400 && request.responseURL) { location.assign(request.responseURL); return; }
    const page = parsed(request.responseText);
    const main = page.querySelector("main");
    if (!main) { fail("The portal did not understand the upload."); return; }
    document.querySelector("main").replaceWith(main);
    start(document);
    main.querySelector("[role=alert]")?.focus();
  });
  request.addEventListener("error", () => fail("The connection broke. Send the file once more: what did arrive costs nothing twice."));
  request.open("POST", form.action);
  request.send(new FormData(form));
}

function watchUploads(root) {
  for (const form of root.querySelectorAll("form[data-most]")) {
    const input = form.querySelector("input[type=file]");
    input.addEventListener("change", () => sizeFits(form, input));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (sizeFits(form, input)) send(form);
    });
  }
}

async function follow(place) {
  let wait = 1500;
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, wait); });
    wait = Math.min(wait * 1.3, 10000);
    if (document.hidden) continue;
    try {
      const answer = await fetch(place.dataset.follow, { headers: { accept: "text/html" } });
      if (!answer.ok) return;
      const fresh = parsed(await answer.text()).querySelector("[data-follow], [data-ended]");
      if (!fresh) return;
      if (fresh.hasAttribute("data-ended")) { location.reload(); return; }
      if (fresh.textContent !== place.textContent) wait = 1500;
      place.replaceChildren(...fresh.childNodes);
    } catch { /* the portal is away for a moment; ask again */ }
  }
}

function start(root) {
  tellLocalTimes(root);
  watchUploads(root);
  watchForms(root);
  for (const place of root.querySelectorAll("[data-follow]")) follow(place);
  root.querySelector("[role=alert][tabindex]")?.focus();
}

addEventListener("pageshow", () => { // a page that comes back as it was left can be sent again
  for (const form of document.querySelectorAll("form[data-sending]")) delete form.dataset.sending;
});
start(document);
