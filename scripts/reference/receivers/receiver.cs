#:sdk Microsoft.NET.Sdk.Web
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

const int ToleranceSeconds = 5 * 60;
const int BodyBytesMax = 1_048_576;
var parts = (Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "").Split('_', 2);
if (parts is not ["whsec", { Length: > 0 } encoded])
{
    Console.Error.WriteLine("Set WEBHOOK_SECRET to the signing secret, whsec_…");
    return 1;
}
var secret = Convert.FromBase64String(encoded);

string? ReasonToRefuse(IHeaderDictionary headers, byte[] body)
{
    var (id, timestamp) = (headers["webhook-id"].ToString(), headers["webhook-timestamp"].ToString());
    if (id == "") return "webhook-id is missing";
    if (!Regex.IsMatch(timestamp, @"\A[0-9]{1,12}\z")) return "webhook-timestamp is not an integer";
    var difference = Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp));
    if (difference > ToleranceSeconds) return $"the timestamp differs from this clock by {difference} s";
    var content = Encoding.Latin1.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
    var expected = Encoding.ASCII.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(secret, content)));
    var given = headers["{{signature}}"].ToString();
    if (given == "") given = headers["{{otherSignature}}"].ToString();
    var matches = Regex.Split(given, @",?\s+")
        .Any(value => CryptographicOperations.FixedTimeEquals(Encoding.Latin1.GetBytes(value), expected));
    return matches ? null : "no signature matches the body: check WEBHOOK_SECRET";
}

var builder = WebApplication.CreateBuilder();
builder.WebHost.ConfigureKestrel(options => options.Limits.MaxRequestBodySize = BodyBytesMax);
var app = builder.Build();
app.MapPost("/{**path}", async (HttpRequest request) =>
{
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer);
    var body = buffer.ToArray();
    if (ReasonToRefuse(request.Headers, body) is { } reason)
    {
        Console.Error.WriteLine($"refused: {reason}");
        return Results.StatusCode(401);
    }
    using var parsed = JsonDocument.Parse(body);
    Console.WriteLine($"{request.Headers["webhook-id"]} {parsed.RootElement.GetProperty("status")}");
    return Results.NoContent();
});
app.Run($"http://localhost:{Environment.GetEnvironmentVariable("PORT") ?? "3000"}");
return 0;
