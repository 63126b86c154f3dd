/** A script for mpv 0.35 and later; it calls curl. */
export const mpvScript = `-- Koma: find the scene of the current frame. Copy this file to the scripts folder of mpv.
-- Ctrl+f searches. Ctrl+j jumps: to the time in this file if it is the found video, else to a clip of the scene.
local utils = require "mp.utils"

local BASE_URL = @BASE_URL@
local KEY = @KEY@
local found = nil

local function show(text)
    mp.osd_message(text, 6)
    mp.msg.info(text)
end

local function format_time(seconds)
    return string.format("%d:%02d", math.floor(seconds / 60), math.floor(seconds % 60))
end

local function describe(match)
    local title = match.anime.title
    local text = title.english or title.romaji or title.native or "?"
    if match.episode and match.episode.number then
        text = text .. ", episode " .. match.episode.number
    end
    return text .. ", " .. format_time(match.timestamp) .. string.format(" (%.0f %%)", match.similarity * 100)
end

local function handle_response(success, process, file)
    os.remove(file)
    local response = success and process.status == 0 and utils.parse_json(process.stdout) or nil
    if not response then
        return show("Koma cannot be reached.")
    end
    if not response.matches then
        return show("Koma: " .. (response.detail or "unknown response"))
    end
    found = response.matches[1]
    if not found then
        return show("Koma found nothing.")
    end
    show((found.isConfident and "" or "Uncertain: ") .. describe(found))
end

local function search()
    local folder = os.getenv("TMPDIR") or os.getenv("TEMP") or "/tmp"
    local file = utils.join_path(folder, string.format("koma-%d-%d.jpg", utils.getpid(), os.time()))
    local written, message = mp.commandv("screenshot-to-file", file, "video")
    if not written then
        return show("No screenshot: " .. message)
    end
    local args = { "curl", "-s", "--max-time", "30", "-K", "-", "-F", "image=@" .. file, BASE_URL .. "/api/anime/search" }
    show("Searching…")
    mp.command_native_async({
        name = "subprocess",
        args = args,
        -- Other users of the machine can read arguments, and the key is secret.
        stdin_data = KEY ~= "" and 'header = "Authorization: Bearer ' .. KEY .. '"\\n' or "\\n",
        capture_stdout = true,
        playback_only = false,
    }, function(success, process)
        handle_response(success, process, file)
    end)
end

local function jump()
    if not found then
        return show("Search first.")
    end
    local duration = mp.get_property_number("duration")
    if duration and math.abs(duration - found.duration) < 0.5 then
        mp.commandv("seek", found.timestamp, "absolute+exact")
        show("Jumped to " .. format_time(found.timestamp))
    elseif found.videoUrl then
        mp.commandv("loadfile", found.videoUrl)
    end
end

mp.add_key_binding("Ctrl+f", "koma-search", search)
mp.add_key_binding("Ctrl+j", "koma-jump", jump)
`;
