// The parts of a page that a server cannot do: search while you type, describe a link, load lines, stay up to date.
import { startBox } from "./box.js";
import { startCards } from "./cards.js";
import { startCode } from "./code.js";
import { startTalk } from "./talk.js";
import { startLive } from "./live.js";
import { startParts } from "./parts.js";
import { startPicture } from "./picture.js";

function startMain() {
  startParts();
  startCode();
  startPicture();
}

startBox();
startCards();
startTalk();
startMain();
startLive(startMain);
