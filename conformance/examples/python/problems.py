"""Error responses (RFC 9457)."""

PROBLEMS = "https://docs.gateway.example/problems/"


class Problem(Exception):
    """An error response. HTTP sends it wherever it is raised."""

    def __init__(self, status, kind, title, detail, violations=(), headers=()):
        super().__init__(detail)
        self.status = status
        self.headers = dict(headers)
        self.body = {"type": PROBLEMS + kind, "title": title, "status": status, "detail": detail}
        if violations:
            self.body["violations"] = list(violations)[:100]


def invalid(*violations):
    detail = "Correct the violations and send the request again."
    return Problem(400, "validation-failed", "The request is invalid", detail, violations)


def violation(pointer, message, part="body"):
    return {"in": part, "pointer": pointer, "message": message}
